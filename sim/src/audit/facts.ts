/**
 * I16: no fact below its reader's label decides anything.
 *
 * F1 every fact of State that a decision was made on is the word of whoever owned its path at the
 *    authority that the decision names, under the label registered there, or an operator's that had
 *    not ended when it was decided, nor when the decision was entered.
 * F2 what a dispatch had to read (limits on State, drawdown, values that must not move, grounds) was
 *    there, under a label that capability or contract accept.
 * F3 no source is registered anew: in a storm no operator does that, and processes must not.
 *
 * Who owns what is worked out here once more, from the entries.
 */
import type {
  CapabilityDescription,
  Contract,
  Facts,
  JsonValue,
  PolicyPayload,
  SignedIntent,
  SourcePayload,
  StateFact,
} from 'rubicon-kernel'
import type { Line, Report } from './report.ts'

type Registered = { readonly label: string; readonly paths: readonly string[] }
type Read = Pick<StateFact, 'path' | 'label'>

/** What a decision was made on. */
export type Decided = {
  readonly facts?: Facts
  readonly proposal?: JsonValue | undefined
  readonly jit?: JsonValue
}

/** What the ledger says of agents and contracts. */
export type Known = {
  readonly contracts: ReadonlyMap<string, { readonly contract: Contract }>
  getStatus(agent: string): string | undefined
}

const ORDER = ['trusted', 'operator', 'external', 'agent']

export class AuditedFacts {
  readonly #report: Report
  readonly #known: Known
  readonly #sources = new Map<string, Registered>()
  readonly #descriptions = new Map<string, CapabilityDescription>()

  constructor(report: Report, known: Known) {
    this.#report = report
    this.#known = known
  }

  add({ seq, kind, payload }: Line): void {
    if (kind === 'source') this.#register(seq, payload as SourcePayload)
    if (kind !== 'policy') return
    const { body } = payload as PolicyPayload
    const recorded = 'capability' in body ? [body] : 'rules_hash' in body ? body.capabilities : []
    for (const { capability, capability_hash } of recorded)
      this.#descriptions.set(capability_hash, capability)
  }

  #register(seq: number, { body }: SourcePayload): void {
    if (body.action === 'register' && this.#sources.has(body.source_id))
      this.#report('I16', `authority/${seq} registers ${body.source_id} anew`)
    if (body.action === 'retire') this.#sources.delete(body.source_id)
    else this.#sources.set(body.source_id, { label: body.label, paths: body.paths })
  }

  /** Called for every decision that lets something happen, at its place in the tree. */
  auditDecision({ trajectory, seq, at }: Line, intent: SignedIntent, decided: Decided): void {
    const { facts } = decided
    const contract = this.#known.contracts.get(intent.contract_hash)?.contract
    const reportProblem = (detail: string): void =>
      this.#report('I16', `${trajectory}/${seq} decides ${intent.policy_kind}: ${detail}`)
    if (facts === undefined || contract === undefined) return
    for (const fact of facts.state) {
      const problem = this.#findAttributionProblem(fact, facts.now > at ? facts.now : at)
      if (problem !== null) reportProblem(`${fact.path} is said by ${fact.source}: ${problem}`)
    }
    const description = this.#descriptions.get(intent.capability_hash)
    for (const path of listNeededPaths(intent, contract, decided, description)) {
      const fact = facts.state.find((one) => one.path === path)
      if (fact === undefined) reportProblem(`it had to read ${path}, and nobody said it`)
      else if (!isLabelAccepted(fact, contract, description))
        reportProblem(`it read ${path}, a ${fact.label}`)
    }
    for (const fact of facts.seen)
      if (!isLabelAccepted(fact, contract, description))
        reportProblem(`it compared ${fact.path}, a ${fact.label}`)
  }

  #findAttributionProblem(fact: StateFact, now: string): string | null {
    const { path, source, label, until } = fact
    if (until !== undefined) {
      if (!source.startsWith('operator:') || label !== 'operator') return 'that is no operator'
      if (this.#known.getStatus(source.slice('operator:'.length)) !== undefined)
        return 'that is an agent'
      return now < until ? null : `its word ended at ${until}`
    }
    if (path.startsWith('escalation.') || path.startsWith('kernel.'))
      return source === 'kernel' ? null : 'the kernel owns it'
    if (path.startsWith('claims.')) {
      const agent = path.split('.').slice(1, -1).join('.')
      return source === `agent:${agent}` && label === 'agent' ? null : `it is a claim of ${agent}`
    }
    const owner = this.#findOwner(path)
    if (owner === null) return 'nobody owns it'
    if (owner[0] !== source) return `${owner[0]} owns it`
    return owner[1].label === label ? null : `${source} is ${owner[1].label}, not ${label}`
  }

  /** The longest match; whoever names the path itself comes before all others. */
  #findOwner(path: string): readonly [string, Registered] | null {
    const exactOnly = /^agent\..*\.drawdown_pct$/.test(path)
    let best: readonly [string, Registered] | null = null
    let length = -1
    for (const entry of this.#sources) {
      for (const pattern of entry[1].paths) {
        if (pattern === path) return entry
        const isPrefix = pattern.endsWith('*') && path.startsWith(pattern.slice(0, -1))
        if (!isPrefix || exactOnly || pattern.length <= length) continue
        best = entry
        length = pattern.length
      }
    }
    return best
  }
}

/** What the verdict could not have been without. */
function listNeededPaths(
  intent: SignedIntent,
  contract: Contract,
  { proposal, jit }: Decided,
  description: CapabilityDescription | undefined,
): readonly string[] {
  const kind = intent.policy_kind
  const { limits } = contract.permissions
  const matched = limits.flatMap((limit) =>
    limit.kind === 'state_match' && (limit.applies_to ?? [kind]).includes(kind)
      ? [limit.field]
      : [],
  )
  const bounded = contract.safety_rules.max_drawdown_limit_pct !== undefined
  const { drift = [] } = (jit ?? {}) as { readonly drift?: readonly { readonly path: string }[] }
  const { grounds = {} } = (proposal ?? {}) as { readonly grounds?: Record<string, string> }
  const sinks = Object.keys(description?.sinks ?? {})
  const grounded = Object.entries(grounds).filter(([at]) =>
    sinks.some((sink) => isSinkMatch(sink, at)),
  )
  return [
    ...matched,
    ...(bounded && description?.reducing === false
      ? [`agent.${intent.agent_id}.drawdown_pct`]
      : []),
    ...drift.map(({ path }) => path),
    ...grounded.map(([, path]) => path),
  ]
}

/** A star of a sink stands for each element of a list. */
function isSinkMatch(sink: string, at: string): boolean {
  const [parts, places] = [sink.split('/'), at.split('/')]
  return parts.length === places.length && parts.every((one, i) => one === '*' || one === places[i])
}

export function isLabelAccepted(
  { path, label }: Read,
  contract: Contract,
  description: CapabilityDescription | undefined,
): boolean {
  const widened = [description?.accepts ?? {}, contract.permissions.accepts ?? {}]
    .flatMap((accepts) => Object.entries(accepts))
    .filter(([pattern]) =>
      pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern,
    )
  const least = Math.max(1, ...widened.map(([, lowest]) => ORDER.indexOf(lowest)))
  return ORDER.indexOf(label) <= least
}
