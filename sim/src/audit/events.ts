/**
 * I24: of an event one flow is carried out, nothing once it is halted, and whoever lost did so to one that is before it in the
 * order of kinds, priorities, roles and names. What is opened below a flow of an event is a flow of that event, and of no other.
 * Written from the specification, without the kernel's own order.
 */
import type {
  AcceptedPayload,
  CommitPayload,
  Contract,
  EventPayload,
  PolicyPayload,
  RejectionPayload,
  ResendPayload,
  SignedIntent,
  TopicRow,
  WritPayload,
} from 'rubicon-kernel'
import type { Line, Report } from './report.ts'
import { RESERVED } from './reserved.ts'

/** What comes first is smaller, member by member. */
type Order = readonly [kind: number, priority: number, role: number, agent: string]

type Winner = {
  readonly order: Order
  readonly isApproved: boolean
  readonly resources: Set<string>
}

type KnownEvent = {
  readonly id: string
  /** What the rules said of its topic when it was taken in. */
  readonly law: TopicRow['arbitration']
  readonly winners: Map<string, Winner>
  haltedBy: string | null
}

const ROLES: readonly string[] = ['MONITOR', 'STRATEGIST', 'EXECUTOR']
const PREEMPTING: readonly string[] = ['HALT', 'ALERT']
const NOTHING_SAID: TopicRow = { topic: '' }
const NO_TABLE = [{ agents: Number.POSITIVE_INFINITY }]

export class AuditedEvents {
  readonly #report: Report
  readonly #findContract: (hash: string) => Contract | undefined
  /** By the flow: the contract that it is pinned to. */
  readonly #pinned = new Map<string, string>()
  readonly #flows = new Map<string, KnownEvent>()
  /** Of the rules that were recorded last. */
  #topics: readonly TopicRow[] = []
  readonly #halts = new Map<string, string>()
  /** Intents of flows of events that a HALT stops. */
  readonly #begun = new Set<string>()

  constructor(report: Report, findContract: (hash: string) => Contract | undefined) {
    this.#report = report
    this.#findContract = findContract
  }

  /** Returns the flows that it announces, or adds to an event. */
  add(line: Line): readonly string[] {
    const { kind, payload } = line
    switch (kind) {
      case 'policy':
        this.#addRules(payload as PolicyPayload)
        break
      case 'event':
        return this.#addEvent(payload as EventPayload)
      case 'writ':
        return this.#auditOpening(line, payload as WritPayload)
      case 'accepted':
      case 'dispatch':
        if ('intent' in (payload as object))
          this.#auditBegun(line, (payload as AcceptedPayload).intent)
        break
      case 'resend':
        this.#auditSentAgain(line, payload as ResendPayload)
        break
      case 'commit':
        this.#auditCommit(line, payload as CommitPayload)
        break
      case 'rejection':
        this.#auditRejected(line, payload as RejectionPayload)
        break
    }
    return []
  }

  /** Of other flows than those of events nobody asks. */
  #auditOpening({ trajectory, seq }: Line, { flow }: WritPayload): readonly string[] {
    if (flow === undefined) return []
    const { dfid, parent_dfid, event_id, contract } = flow
    const above = parent_dfid === undefined ? undefined : this.#flows.get(parent_dfid)
    if (above !== undefined) this.#flows.set(dfid, above)
    const event = this.#flows.get(dfid)
    if (event?.id !== event_id) this.#report('I24', `${trajectory}/${seq}: it is of another event`)
    if (event !== undefined) this.#pinned.set(dfid, contract.hash)
    return above === undefined ? [] : [dfid]
  }

  #addRules({ body }: PolicyPayload): void {
    if ('rules' in body) this.#topics = body.rules.topics ?? []
  }

  #addEvent({ event_id, topic, woken }: EventPayload): readonly string[] {
    const row = this.#topics.find((one) => one.topic === topic) ?? NOTHING_SAID
    const most = Math.max(...(row.admission?.table ?? NO_TABLE).map(({ agents }) => agents))
    if (woken.length > most) this.#report('I24', `${event_id} woke more than ${most}`)
    const law = row.arbitration
    const event: KnownEvent = { id: event_id, law, winners: new Map(), haltedBy: null }
    for (const { dfid } of woken) this.#flows.set(dfid, event)
    return woken.map(({ dfid }) => dfid)
  }

  #auditBegun({ trajectory, seq }: Line, intent: SignedIntent): void {
    const { dfid, policy_kind, intent_id, compensation } = intent
    const event = this.#flows.get(dfid)
    if (event === undefined || compensation !== undefined) return
    if (policy_kind === 'HALT') this.#halts.set(intent_id, dfid)
    if (RESERVED.includes(policy_kind)) return
    this.#begun.add(intent_id)
    const place = `${trajectory}/${seq}`
    if (event.haltedBy !== null) this.#report('I24', `${place}: its event was halted`)
    if (event.law === undefined) return
    const other = [...event.winners.keys()].find((one) => one !== dfid)
    if (other !== undefined && event.law.exclusive !== 'resources')
      this.#report('I24', `${place}: ${other} was carried out before it`)
    this.#auditShared(place, event, intent)
    const order = this.#getOrder(event, dfid, policy_kind)
    const won = event.winners.get(dfid)
    for (const { id } of intent.resources) won?.resources.add(id)
    if (order === null || won !== undefined) return
    const resources = new Set(intent.resources.map(({ id }) => id))
    const isApproved = intent.approval?.approver.startsWith('agent:') === false
    event.winners.set(dfid, { order, isApproved, resources })
  }

  /** Nothing of it may have happened so far. */
  #auditSentAgain({ dfid = '', trajectory, seq }: Line, { body }: ResendPayload): void {
    const isHalted = (this.#flows.get(dfid)?.haltedBy ?? null) !== null
    if (isHalted && this.#begun.has(body.intent_id))
      this.#report('I24', `${trajectory}/${seq}: it was sent again after its event was halted`)
  }

  /** Where only resources exclude, those that are carried out share none. */
  #auditShared(place: string, { winners }: KnownEvent, { dfid, resources }: SignedIntent): void {
    for (const [other, { resources: held }] of winners)
      for (const { id } of resources)
        if (other !== dfid && held.has(id))
          this.#report('I24', `${place}: ${other} was carried out with ${id} before it`)
  }

  #auditCommit({ dfid = '' }: Line, { intent_id }: CommitPayload): void {
    const event = this.#flows.get(dfid)
    if (event !== undefined && this.#halts.has(intent_id)) event.haltedBy ??= dfid
  }

  #auditRejected({ dfid = '', trajectory, seq }: Line, payload: RejectionPayload): void {
    const { reason_code, details, proposal } = payload
    const event = this.#flows.get(dfid)
    const place = `${trajectory}/${seq}`
    if (reason_code === 'EVENT_HALTED' && (event?.haltedBy ?? null) === null)
      this.#report('I24', `${place}: nobody halted its event`)
    if (reason_code !== 'PREEMPTED') return
    const winner = event?.winners.get(String(details.winner))
    if (winner === undefined || details.winner === dfid)
      this.#report('I24', `${place}: it lost to nobody`)
    else if (event !== undefined && details.bid_at !== undefined && !winner.isApproved) {
      const { policy_kind = '' } = (proposal ?? {}) as { readonly policy_kind?: string }
      const own = this.#getOrder(event, dfid, policy_kind)
      if (own !== null && isBefore(own, winner.order))
        this.#report('I24', `${place}: it lost to one that is behind it`)
    }
  }

  /** When all is settled nobody waits for anybody. */
  finish(flows: ReadonlyMap<string, { readonly state: string }>): void {
    for (const [dfid, { state }] of flows)
      if (state === 'VALIDATING') this.#report('I24', `${dfid} still waits for the others`)
  }

  #getOrder({ law }: KnownEvent, dfid: string, kind: string): Order | null {
    const contract = this.#findContract(this.#pinned.get(dfid) ?? '')
    if (contract === undefined) return null
    const { priority, role, agent_id } = contract
    const first = law?.preempting_kinds ?? PREEMPTING
    return [first.includes(kind) ? 0 : 1, priority, ROLES.indexOf(role), agent_id]
  }
}

function isBefore(a: Order, b: Order): boolean {
  const index = a.findIndex((member, at) => member !== b[at])
  const [own = 0, other = 0] = [a[index], b[index]]
  return index >= 0 && own < other
}
