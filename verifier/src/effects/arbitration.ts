/**
 * Where several agents answered one event: was one carried out, the right one, and did the others lose to it?
 *
 * 1. Of an event whose rules exclude, one flow is dispatched, or several that share no resource.
 * 2. Nothing is dispatched for an event after its HALT was carried out.
 * 3. Whoever was preempted lost to a flow of the same event that was put down before; a proposal that waited (`bid_at`) does
 *    not outrank the winner, unless a person let that one pass.
 * 4. Whoever was told that it came too late came after the window, or had had its turn.
 * 5. What is opened below a flow of the event is a flow of the event, and is too late only for winners that were put down before it.
 * 6. What holds of an event is what the rules said of its topic when it was taken in, and its topic is that of its observations.
 */
import {
  type Arbitration,
  type Bid,
  compareBids,
  type EventPayload,
  findChannelAgent,
  findTopicRow,
  findWinnerOver,
  formatInstant,
  getArbitration,
  isObject,
  isReserved,
  type JsonValue,
  LIMITS,
  type PayloadOf,
  parseInstant,
  type Ranked,
  type SignedIntent,
  type TopicRow,
  type WritPayload,
} from 'rubicon-kernel'

/** Who is told from the contract of a flow; undefined: it cannot be read, which is found elsewhere. */
type RankOf = (dfid: string) => Ranked | undefined

type KnownWinner = Bid & { readonly isApproved: boolean }

type KnownEvent = {
  readonly event_id: string
  readonly at: string
  /** By the rules that took it in; null: nobody is waited for. */
  readonly law: Arbitration | null
  readonly winners: KnownWinner[]
  haltedBy: string | null
}

/** `whole`: an event that is not here was never there. `erased`: flows of which something was erased. */
export class ArbitratedEvents {
  readonly #whole: boolean
  readonly #erased: ReadonlySet<string>
  readonly #rankOf: RankOf
  /** Of the rules that were recorded last. */
  #topics: readonly TopicRow[] = []
  /** By the flows that they announced, and those below. */
  readonly #events = new Map<string, KnownEvent>()
  readonly #byId = new Map<string, KnownEvent>()
  /** By the flows that were opened below others: how many winners were put down before. */
  readonly #openedAfter = new Map<string, number>()
  /** Flows of events that have had their turn. */
  readonly #heard = new Set<string>()

  constructor(whole: boolean, erased: ReadonlySet<string>, rankOf: RankOf) {
    this.#whole = whole
    this.#erased = erased
    this.#rankOf = rankOf
  }

  foldRules(topics: readonly TopicRow[] = []): void {
    this.#topics = topics
  }

  foldEvent({ event_id, topic, observations, woken }: EventPayload, at: string): readonly string[] {
    const row = this.#topics.find((one) => one.topic === topic)
    const law = row === undefined ? null : getArbitration(row)
    const event: KnownEvent = { event_id, at, law, winners: [], haltedBy: null }
    this.#byId.set(event_id, event)
    for (const { dfid } of woken) this.#events.set(dfid, event)
    // Under the name of another topic nobody would have to wait.
    const isAbout = observations.every(
      ({ path }) => findTopicRow(this.#topics, path).topic === topic,
    )
    return isAbout ? [] : ['it is about another topic']
  }

  /** Below a flow of an event, whatever it says of itself; the opening of the parent may be erased. */
  foldOpening({ dfid, parent_dfid, event_id }: NonNullable<WritPayload['flow']>): void {
    if (parent_dfid === undefined || this.#events.has(dfid)) return
    const event = this.#events.get(parent_dfid) ?? this.#byId.get(event_id ?? '')
    if (event === undefined) return
    this.#events.set(dfid, event)
    this.#openedAfter.set(dfid, event.winners.length)
  }

  /** A request about a proposal: it has had its turn. */
  foldRequest(dfid: string): void {
    if (this.#events.has(dfid)) this.#heard.add(dfid)
  }

  /** An intent, where it first stands. */
  foldIntent(intent: SignedIntent, at: string): readonly string[] {
    const { dfid, policy_kind, approval } = intent
    const event = this.#events.get(dfid)
    if (event === undefined || isReserved(policy_kind)) return []
    this.#heard.add(dfid)
    const found = this.findHaltProblems(dfid)
    const { law } = event
    const ranked = this.#rankOf(dfid)
    if (law === null || ranked === undefined) return found
    const resources = intent.resources.map(({ id }) => id)
    const other = findWinnerOver(law, event.winners, { dfid, resources })
    const { agent_id, priority, role } = ranked
    const isApproved = approval !== undefined && findChannelAgent(approval.approver) === undefined
    const own = { dfid, policy_kind, resources, at, agent_id, priority, role }
    event.winners.push({ ...own, isApproved })
    return other === undefined ? found : [...found, 'another of its event was dispatched before']
  }

  /** Also of what was accepted before. */
  findHaltProblems(dfid: string): readonly string[] {
    const haltedBy = this.#events.get(dfid)?.haltedBy ?? null
    return haltedBy === null ? [] : ['its event was halted']
  }

  foldCommit(dfid: string, kind: string): void {
    const event = this.#events.get(dfid)
    if (event !== undefined && kind === 'HALT') event.haltedBy ??= dfid
  }

  foldRejection(dfid: string, payload: PayloadOf['rejection']): readonly string[] {
    const event = this.#events.get(dfid)
    const isHeard = this.#heard.has(dfid)
    if (event !== undefined) this.#heard.add(dfid)
    const { reason_code } = payload
    if (reason_code !== 'PREEMPTED' && reason_code !== 'EVENT_HALTED') return []
    if (event === undefined) return this.#whole ? ['it is about no event'] : []
    const { winner, halted_by } = payload.details
    if (reason_code === 'PREEMPTED') {
      const isWinnerKnown = event.winners.some((one) => one.dfid === winner)
      if (!isWinnerKnown && winner !== dfid && this.#isLeftOut(event, winner)) return []
      const before = this.#openedAfter.get(dfid) ?? 0
      const isLate = event.winners.slice(0, before).some((one) => one.dfid === winner)
      return findLostProblems(event, dfid, payload, isHeard || isLate, this.#rankOf)
    }
    if (event.haltedBy !== null && halted_by === event.haltedBy) return []
    return this.#isLeftOut(event, halted_by) ? [] : ['nobody halted its event']
  }

  /** What a flow of the event did may have been erased, or be no part of a bundle. */
  #isLeftOut(event: KnownEvent, dfid: JsonValue | undefined): boolean {
    if (typeof dfid !== 'string' || this.#events.get(dfid) !== event) return false
    return !this.#whole || this.#erased.has(dfid)
  }
}

function findLostProblems(
  event: KnownEvent,
  dfid: string,
  { details, proposal }: PayloadOf['rejection'],
  isHeard: boolean,
  rankOf: RankOf,
): readonly string[] {
  const { law } = event
  const winner = event.winners.find((one) => one.dfid === details.winner)
  if (
    law === null ||
    winner === undefined ||
    winner.dfid === dfid ||
    details.event_id !== event.event_id
  )
    return ['nothing that it lost to was put down before']
  if (winner.isApproved) return []
  const { bid_at } = details
  if (typeof bid_at !== 'string') {
    const isEarly = winner.at < computeEarliestEnd(event, law) && !isHeard
    return isEarly ? ['the window of its event was not over'] : []
  }
  const ranked = rankOf(dfid)
  const kind = isObject(proposal) ? proposal.policy_kind : undefined
  if (ranked === undefined || typeof kind !== 'string') return []
  // Of one agent the earlier bid is first, and when the winner made its own is not on record.
  const { at } = winner
  const bid: Bid = { ...ranked, dfid: winner.dfid, policy_kind: kind, resources: [], at }
  return compareBids(law, bid, winner) < 0 ? ['it outranks what it lost to'] : []
}

/**
 * The window ends by a time that is in no entry: it is counted from when the observation was taken up, and the entry of the event has
 * the time at which it became durable. Between the two lies what a store may take for a write, so that the earliest end is found
 * only as exactly as that. A window that is shorter is not found to be cut short here; who outranks whom is.
 */
function computeEarliestEnd({ at }: KnownEvent, { window_ms }: Arbitration): string {
  return formatInstant((parseInstant(at) ?? 0) + window_ms - LIMITS.dispatchWithinMs)
}
