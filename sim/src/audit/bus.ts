/**
 * I25: whatever a bus loses, repeats or makes up. Every flow that an event announced was opened, or its event says why not; every
 * message about it was taken by the bus, waits, or is a dead letter; nobody hears of what the record does not say, nor on a
 * topic that its contract does not name; and what waits for others does not for ever.
 */
import type { Contract, EventPayload, SubscriptionPayload, WritPayload } from 'rubicon-kernel'
import type { BusDelivery } from '../../../runtime/src/ports/bus.ts'
import type { EventRecord } from '../../../runtime/src/ports/event-record.ts'
import type { Line, Report } from './report.ts'

/** What the store holds of events in the end. */
export type EventsView = {
  readonly now: string
  readonly flows: ReadonlyMap<string, { readonly state: string }>
  readonly events: readonly {
    readonly group: string
    readonly key: string
    readonly body: EventRecord
  }[]
  readonly bids: readonly { readonly group: string; readonly key: string }[]
  readonly claims: readonly { readonly key: string }[]
  readonly timers: Iterable<{
    readonly body: { readonly event?: { readonly dfid: string } | undefined }
  }>
  readonly letters: readonly {
    readonly group: string
    readonly body: BusDelivery & { readonly attempts: number }
  }[]
}

/** Of which an agent in process was told. */
export type HeardHint = {
  readonly agent: string
  readonly event_id: string
  readonly topic: string
  readonly dfid: string
}

type Announced = {
  readonly event_id: string
  readonly at: string
  readonly topic: string
  readonly agent: string
  readonly snapshot_id: string
}

/** Every contract that an agent ever had. */
type KnownContracts = { listContracts(agent: string): readonly Contract[] }

/** So long every event is kept: after that what it says of its members may be gone. */
const KEPT_MS = 7 * 86_400_000
/** Least attempts after which nobody tries any more. */
const DEAD_FROM = 8

export class AuditedBus {
  readonly #report: Report
  readonly #known: KnownContracts
  /** Whether messages are written at all. */
  readonly #isCarried: boolean
  /** By flow. */
  readonly #announced = new Map<string, Announced>()
  readonly #opened = new Set<string>()
  readonly #taken = new Set<string>()
  /** `AGENT TOPIC`: how often it is on the record that it hears, and how often it does. */
  readonly #recorded = new Map<string, number>()
  readonly #hearing = new Map<string, number>()

  constructor(report: Report, known: KnownContracts, isCarried: boolean) {
    this.#report = report
    this.#known = known
    this.#isCarried = isCarried
  }

  add({ kind, payload, trajectory, seq, at }: Line): void {
    if (kind === 'event') this.#addEvent(payload as EventPayload, at)
    if (kind === 'writ') this.#auditOpening(payload as WritPayload, `${trajectory}/${seq}`)
    if (kind === 'evidence' && (payload as { readonly source?: string }).source === 'bus') {
      const { finding, details } = payload as SubscriptionPayload
      if (finding === 'subscribed') count(this.#recorded, `${details.agent_id} ${details.topic}`)
    }
  }

  #addEvent(
    { event_id, topic, woken, state_snapshot_id: snapshot_id }: EventPayload,
    at: string,
  ): void {
    for (const { agent, dfid } of woken) {
      if (this.#announced.has(dfid)) this.#report('I25', `${dfid} is announced twice`)
      this.#announced.set(dfid, { event_id, at, topic, agent, snapshot_id })
    }
  }

  #auditOpening({ flow }: WritPayload, place: string): void {
    if (flow === undefined) return
    const { dfid, event_id, parent_dfid } = flow
    const announced = this.#announced.get(dfid)
    // What is opened below a flow of an event is announced to nobody; I24 holds it against its parent.
    if (announced === undefined && parent_dfid !== undefined) return
    if (announced === undefined && event_id === undefined) return
    if (announced?.event_id !== event_id)
      this.#report('I25', `${place}: no event announced the flow that it opens`)
    else if (announced?.agent !== flow.agent_id)
      this.#report('I25', `${place}: another agent was to be woken`)
    if (this.#opened.has(dfid)) this.#report('I25', `${place}: ${dfid} was opened before`)
    this.#opened.add(dfid)
  }

  /** An agent hears from now on: that is on the record, and some version of its contract says so. */
  auditSubscribed(agent: string, topic: string): void {
    const name = `${agent} ${topic}`
    count(this.#hearing, name)
    if ((this.#hearing.get(name) ?? 0) > (this.#recorded.get(name) ?? 0))
      this.#report('I25', `that ${agent} hears ${topic} is not on the record`)
    const isNamed = this.#known
      .listContracts(agent)
      .some(({ permissions: { subscriptions = [] } }) =>
        subscriptions.some((one) => isCovering(one.topic, topic)),
      )
    if (!isNamed) this.#report('I25', `${agent} hears ${topic}, which no contract of it names`)
  }

  /** A process has published it: it says what stands on the record. */
  auditTaken(delivery: BusDelivery): void {
    const { dfid, topic, snapshot_id, message } = delivery
    const known = this.#announced.get(dfid)
    const isTrue =
      known !== undefined &&
      known.topic === topic &&
      known.snapshot_id === snapshot_id &&
      known.event_id === message.event_id &&
      known.agent === message.agent
    if (!isTrue) this.#report('I25', `a message about ${dfid} says what did not happen`)
    this.#taken.add(dfid)
  }

  auditHeard({ agent, event_id, topic, dfid }: HeardHint): void {
    const known = this.#announced.get(dfid)
    const isTrue = known?.event_id === event_id && known.agent === agent && known.topic === topic
    if (!isTrue) this.#report('I25', `${agent} hears of ${dfid}, which is nothing of it`)
  }

  finish({ now, flows, events, bids, claims, letters, timers }: EventsView): void {
    const ended = new Set<string>()
    const kept = new Set(events.map(({ key }) => key))
    const isForgotten = ({ event_id, at }: Announced): boolean =>
      !kept.has(event_id) && Date.parse(now) - Date.parse(at) >= KEPT_MS
    // Whoever is stopped is waited for; that others are not is looked at with all timers.
    for (const { body } of timers) if (body.event !== undefined) ended.add(body.event.dfid)
    for (const { group, key, body } of events) {
      for (const { dfid, ended: why } of body.members) if (why !== undefined) ended.add(dfid)
      if (group === 'open') this.#report('I25', `the event ${key} is still open`)
    }
    for (const [dfid, announced] of this.#announced)
      if (!flows.has(dfid) && !ended.has(dfid) && !isForgotten(announced))
        this.#report('I25', `${dfid} was woken, and nothing became of it`)
    for (const { key } of bids) this.#report('I25', `the bid of ${key} is left`)
    for (const { key } of claims)
      if (isOver(flows.get(key)?.state)) this.#report('I25', `the claim of ${key} is left`)
    this.#auditLetters(letters)
  }

  #auditLetters(letters: EventsView['letters']): void {
    const kept = new Set<string>()
    for (const { group, body } of letters) {
      kept.add(body.dfid)
      if (group === 'due') this.#report('I25', `the message about ${body.dfid} is not sent`)
      else if (body.attempts < DEAD_FROM)
        this.#report('I25', `the message about ${body.dfid} was given up after ${body.attempts}`)
    }
    if (!this.#isCarried) return
    for (const dfid of this.#announced.keys())
      if (!this.#taken.has(dfid) && !kept.has(dfid))
        this.#report('I25', `the message about ${dfid} is lost`)
  }
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

function isOver(state: string | undefined): boolean {
  return state === undefined || state === 'CLOSED' || state === 'ABORTED'
}

function isCovering(named: string, topic: string): boolean {
  return named.endsWith('*') ? topic.startsWith(named.slice(0, -1)) : named === topic
}
