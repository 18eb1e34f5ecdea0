/**
 * The auditor. It sees what outsiders see: the raw lines of the ledger as they become durable, the
 * provider's own log, and what callers were told. It shares no code with the engine or the kernel.
 *
 * Boundary: types only. The one judgement it cannot make itself, what the law says about recorded
 * facts, is handed in as a function.
 */
import type {
  CommitPayload,
  Contract,
  DecisionRecord,
  DelegationPayload,
  DispatchPayload,
  Entry,
  EvidencePayload,
  JsonValue,
  PolicyPayload,
  RedispatchPayload,
  RejectionPayload,
  SettlePayload,
  SignedIntent,
  Writ,
  WritPayload,
} from 'rubicon-kernel'
import { Acknowledged } from './audit/acknowledged.ts'
import type { Acknowledgement } from './audit/acknowledgement.ts'
import { AuditedAuthority } from './audit/authority.ts'
import { AuditedBudget } from './audit/budget.ts'
import { Chains } from './audit/chain.ts'
import type { Invariant, Line, Violation } from './audit/report.ts'
import { Steps } from './audit/steps.ts'
import { AuditedWorld } from './audit/world.ts'
import type { ProviderEvent } from './provider.ts'

export type Recompile = (input: {
  readonly facts: NonNullable<DecisionRecord['facts']>
  readonly proposal: JsonValue
  readonly contract: Contract | null
  readonly writs: readonly Writ[]
}) => string

export type AuditorOptions = {
  readonly codes: ReadonlySet<string>
  /** Null: verdicts are not judged again in this seed. */
  readonly recompile: Recompile | null
  /** Also checks that every payload is its own canonical form. */
  readonly thorough: boolean
}

/** What the store says about itself at the end. */
export type StoreView = {
  readonly entries: readonly (Entry & { readonly leaf: number })[]
  readonly heads: Iterable<{
    readonly trajectory: string
    readonly seq: number
    readonly id: string
    readonly world_root: string
  }>
  readonly counters: ReadonlyMap<string, number>
  readonly resources: Iterable<{
    readonly kind: string
    readonly id: string
    readonly version: number
  }>
}

const VIOLATIONS_MAX = 20
const SCALES: Readonly<Record<string, bigint>> = { calls: 1_000_000n, tokens: 1_000_000n }

export class Auditor {
  readonly violations: Violation[] = []
  readonly #options: AuditorOptions
  readonly #ledger = new Map<string, Line>()
  readonly #worlds = new Map<string, AuditedWorld>()
  readonly #ended = new Set<string>()
  readonly #report = (invariant: Invariant, detail: string): void => {
    if (this.violations.length < VIOLATIONS_MAX) this.violations.push({ invariant, detail })
  }
  readonly #chains: Chains
  readonly #authority: AuditedAuthority = new AuditedAuthority(this.#report)
  readonly #steps: Steps = new Steps(this.#report)
  readonly #budget: AuditedBudget
  readonly #acknowledged: Acknowledged = new Acknowledged(this.#report)

  constructor(options: AuditorOptions) {
    this.#options = options
    this.#chains = new Chains(this.#report, options.thorough)
    this.#budget = new AuditedBudget(this.#report, (id) => this.#authority.writs.get(id))
  }

  report(invariant: Invariant, detail: string): void {
    this.#report(invariant, detail)
  }

  outside(event: ProviderEvent): void {
    this.#steps.outside(event)
  }

  acknowledged(ack: Acknowledgement): void {
    this.#acknowledged.add(ack, this.#ledger)
  }

  checkpoint(note: string): void {
    this.#chains.checkpoint(note)
  }

  committed(entries: readonly (Entry & { readonly leaf: number })[]): void {
    for (const entry of entries) {
      const line = this.#chains.add(entry)
      if (line === null) continue
      this.#ledger.set(`${line.trajectory}/${line.seq}`, line)
      this.#authority.add(line)
      this.#read(line)
    }
  }

  #read(line: Line): void {
    const { kind, payload } = line
    switch (kind) {
      case 'policy':
        this.#steps.ruled((payload as PolicyPayload).body.capabilities)
        break
      case 'writ':
        this.#ledger.set(`writ ${(payload as WritPayload).writ.id}`, line)
        break
      case 'delegation':
        this.#budget.delegated(payload as DelegationPayload)
        break
      case 'dispatch':
        this.#dispatch(line)
        break
      case 'evidence':
        this.#steps.evidence(payload as EvidencePayload)
        break
      case 'settle':
        this.#settle(line, payload as SettlePayload)
        break
      case 'commit':
        this.#commit(line, payload as CommitPayload)
        break
      case 'rejection': {
        const { reason_code, ended_flow } = payload as RejectionPayload
        this.#code(line, reason_code)
        if (ended_flow !== undefined || reason_code === 'FLOW_CANCELLED') this.#end(line)
        this.#judge(line, `rejected ${reason_code}`)
        break
      }
      case 'pending_approval':
        this.#judge(line, 'suspended')
        break
    }
  }

  #settle(line: Line, settle: SettlePayload): void {
    this.#ledger.set(`outcome ${settle.intent_id}`, line)
    this.#code(line, settle.reason_code)
    const intent = this.#steps.settled(line, settle)
    if (intent !== undefined) this.#budget.settled(intent, settle)
  }

  #end({ dfid }: Line): void {
    if (dfid !== undefined) this.#ended.add(dfid)
  }

  #code(line: Line, code: string): void {
    if (!this.#options.codes.has(code))
      this.#report(
        'I8',
        `${line.trajectory}/${line.seq} has the code ${code}, which does not exist`,
      )
  }

  #dispatch(line: Line): void {
    const payload = line.payload as DispatchPayload | RedispatchPayload
    let intent: SignedIntent | undefined
    if ('intent' in payload) {
      intent = payload.intent
      this.#steps.dispatched(line, payload)
      this.#budget.dispatched(intent)
      if (this.#ended.has(intent.dfid)) this.#report('I1', `${intent.dfid} had ended before`)
      this.#judge(line, `staged ${intent.intent_id}`)
    } else {
      intent = this.#steps.redispatched(line, payload)
    }
    if (intent !== undefined) this.#authority.dispatched(line, intent)
  }

  #commit(line: Line, payload: CommitPayload): void {
    this.#ledger.set(`outcome ${payload.intent_id}`, line)
    const intent = this.#steps.committed(line, payload.intent_id)
    if (intent !== undefined) this.#budget.committed(intent, payload)
    const world = this.#worlds.get(line.trajectory) ?? new AuditedWorld()
    this.#worlds.set(line.trajectory, world)
    const problem = world.apply(payload.delta)
    if (problem !== null) this.#report('I9', `${line.trajectory}/${line.seq}: ${problem}`)
    if (payload.delta.length > 0 && world.root() !== payload.world_after)
      this.#report('I9', `${line.trajectory}/${line.seq}: the world after it is another`)
  }

  /** I8: the recorded facts lead to the recorded verdict. */
  #judge(line: Line, said: string): void {
    const { recompile } = this.#options
    const { facts, proposal } = line.payload as DecisionRecord
    if (recompile === null || facts === undefined || proposal === undefined) return
    const contract = this.#authority.contracts.get(facts.contract?.hash ?? '')?.contract ?? null
    const writs = facts.writs.flatMap(({ id }) => this.#authority.writs.get(id) ?? [])
    const again = recompile({ facts, proposal, contract, writs })
    if (again !== said) this.#report('I8', `${line.trajectory}/${line.seq}: ${said}, then ${again}`)
  }

  /** After the storm: nothing is open, and everything that is stored follows from the ledger. */
  finish(view: StoreView): void {
    this.#steps.finish()
    this.#acknowledged.finish(this.#ledger)
    if (view.entries.length !== this.#chains.tree.size)
      this.#report('I4', `${view.entries.length} entries are left of ${this.#chains.tree.size}`)
    for (const head of view.heads) {
      const known = this.#chains.head(head.trajectory)
      if (known?.seq !== head.seq || known.id !== head.id)
        this.#report('I3', `the head of ${head.trajectory} is another`)
    }
    this.#replay(view)
    for (const [name, used] of this.#budget.used()) {
      const scale = SCALES[name.slice(name.indexOf(':') + 1)] ?? 1n
      if (BigInt(view.counters.get(name) ?? 0) * scale !== used)
        this.#report(
          'I10',
          `counter ${name} is ${view.counters.get(name)}, the ledger says ${used}`,
        )
    }
  }

  /** I9: from the first line again, with nothing but the lines. */
  #replay({ entries, heads, resources }: StoreView): void {
    const worlds = new Map<string, AuditedWorld>()
    for (const { envelope, payload } of entries) {
      if (envelope.kind !== 'commit' || payload === null) continue
      const world = worlds.get(envelope.trajectory) ?? new AuditedWorld()
      worlds.set(envelope.trajectory, world)
      world.apply((JSON.parse(payload) as CommitPayload).delta)
    }
    for (const { trajectory, world_root } of heads) {
      const root = (worlds.get(trajectory) ?? new AuditedWorld()).root()
      if (root !== world_root) this.#report('I9', `replay of ${trajectory} gives another world`)
    }
    const main = worlds.get('main')
    let stored = 0
    for (const { kind, id, version } of resources) {
      stored += 1
      if (main?.get(kind, id)?.version !== version) this.#report('I9', `${kind} ${id} is another`)
    }
    if (stored !== (main?.size ?? 0)) this.#report('I9', `${stored} resources, not ${main?.size}`)
  }
}
