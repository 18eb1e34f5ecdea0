/**
 * Closes the window of an event: the first bid is judged again and dispatched, the others have lost.
 *
 * V1 everything stands in the store: whoever looks at an event, in whatever process and after whatever crash, goes on where
 *    it was left.
 * V2 a bid is taken out in the unit that says what became of it.
 * V3 a winner is written into the event in the unit that dispatches it: of two processes one starts over, and finds the winner.
 * V4 a bid that is refused hands on; one that goes to a person leaves, and its request is void once another has won.
 * V5 an event is closed when nobody waits in it any more.
 */
import {
  type ArbitrationLaw,
  chooseNextBid,
  type EventWinner,
  type FlowState,
  isStandingAt,
  isWindowOver,
  LIMITS,
  MAIN,
  type Refusal,
} from 'rubicon-kernel'
import type { EventMember } from '../../ports/event-record.ts'
import type { FlowRow } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { CLOSED_EVENTS, OPEN_EVENTS } from '../flow/event-rows.ts'
import {
  addWinner,
  buildChangedEvent,
  buildMovedEvent,
  MOST_MEMBERS,
  type StoredEvent,
  toEventStanding,
} from '../flow/event-standing.ts'
import { type Loaded, loadDecision } from '../judge/load-decision.ts'
import type { Received } from '../judge/receive.ts'
import { storeRejection } from '../judge/reject.ts'
import { endOrphans, endRequests, stopEventFlows } from './end-member.ts'
import { buildTakenBid, pickStep, receiveBid, type StoredBid, toBid } from './stored-bid.ts'

/** Judges once, and carries out; null: the world moved. */
export type JudgeBid = (
  context: Context,
  loaded: Loaded,
  received: Received,
  started: number,
  waitMs: number,
) => Promise<unknown>

/** True: something of it was moved on. */
export async function settleEvent(
  { watch: _, ...context }: Context,
  id: string,
  judge: JudgeBid,
): Promise<boolean> {
  const { store, clock } = context
  const started = clock.monotonic()
  // When each bid was first tried: one that waits for a resource has so long, and no longer.
  const begun = new Map<string, number>()
  let moved = false
  while (clock.monotonic() - started < LIMITS.dispatchWithinMs) {
    const event = await store.readRecord('event', OPEN_EVENTS, id)
    if (event === null) return moved
    if (event.body.halted_by !== undefined) return stopHalted(context, event)
    const { law } = event.body
    if (law === null || !(await isDue(context, event, law))) return moved
    const bids = await store.listRecords('bid', id, { limit: MOST_MEMBERS })
    const { next, lost } = chooseNextBid(law, toEventStanding(event), bids.map(toBid))
    for (const { bid, refusal } of lost) {
      const stored = bids.find(({ key }) => key === bid.dfid)
      if (stored !== undefined) await refuseBid(context, stored, refusal)
    }
    const first = next === null ? undefined : bids.find(({ key }) => key === next.dfid)
    if (first !== undefined) {
      const since = begun.get(first.key) ?? clock.monotonic()
      begun.set(first.key, since)
      if ((await judgeBid(context, event, first, judge, since)) === 'foreign') return moved
    } else if (lost.length === 0 && (await closeEvent(context, event))) return true
    moved = true
    await context.failpoints.reach('arbitrate.after_bid')
  }
  return moved
}

async function isDue(
  { store }: Context,
  { body }: StoredEvent,
  { exclusive }: ArbitrationLaw,
): Promise<boolean> {
  const { closes_at, members, winners = [] } = body
  if (closes_at === null) return false
  // Whoever has lost may speak again, and is not waited for.
  if (exclusive === 'event' && winners.length > 0) return true
  const { now } = await store.readNow(MAIN)
  if (now >= closes_at) return true
  const done: { readonly isDone: boolean }[] = []
  for (const member of members) {
    const isDone = isMemberDone(member, await store.readFlow(member.dfid), winners)
    if (!isDone) return false
    done.push({ isDone })
  }
  return isWindowOver(closes_at, now, done)
}

/** It has made its bid, waits for a person, or has ended. */
const DONE: readonly FlowState[] = ['VALIDATING', 'ESCALATED', 'CLOSED', 'ABORTED']

/** Whoever may still propose is waited for, also before its flow is opened, and while it delegates. */
function isMemberDone(
  { dfid, ended }: EventMember,
  flow: FlowRow | null,
  winners: readonly EventWinner[],
): boolean {
  if (flow === null) return ended !== undefined
  if (DONE.includes(flow.state)) return true
  return (
    flow.state !== 'CREATED' && flow.state !== 'ACTIVE' && winners.some((one) => one.dfid === dfid)
  )
}

/** `foreign`: a process whose rules are in force goes on with it. */
async function judgeBid(
  context: Context,
  event: StoredEvent,
  stored: StoredBid,
  judge: JudgeBid,
  started: number,
): Promise<'judged' | 'foreign'> {
  const { store } = context
  const received = receiveBid(context, stored)
  const loaded =
    received === null ? null : await loadDecision(context, stored.key, pickStep(received))
  if (received === null || loaded?.view.flow.state !== 'VALIDATING') {
    // Its flow was cancelled, or cannot be read: nothing of it waits any more.
    await store.commit(buildTakenBid(stored))
    return 'judged'
  }
  const { now, authority_seq } = loaded.view
  const authority = await context.authorities.loadCurrent(authority_seq)
  if (!isStandingAt(context.standing.getStanding(authority), now)) return 'foreign'
  const taken = buildTakenBid(stored)
  const buildWin: NonNullable<Received['stake']>['win'] = (intent) => {
    const won = buildChangedEvent(event, addWinner(event.body, intent))
    return { guards: [...won.guards, ...taken.guards], writes: [...won.writes, ...taken.writes] }
  }
  const stake = { win: buildWin, leave: taken, waited: true }
  await context.failpoints.reach('arbitrate.before_judging')
  await judge(context, loaded, { ...received, stake }, started, 0)
  return 'judged'
}

/** It has lost: the flow is its agent's again. */
async function refuseBid(context: Context, stored: StoredBid, refusal: Refusal): Promise<void> {
  const { store } = context
  const received = receiveBid(context, stored)
  const flow = await store.readFlow(stored.key)
  const leave = buildTakenBid(stored)
  if (received === null || flow?.state !== 'VALIDATING') {
    await store.commit(leave)
    return
  }
  const { now } = await store.readNow(flow.trajectory)
  const stake = { win: () => leave, leave, waited: true }
  const { code } = refusal
  // It waited: whoever audits asks whether it outranks the winner.
  const details = { ...refusal.details, bid_at: stored.body.at }
  const rejection = { code, details, stage: 'queue', trace: [] } as const
  await storeRejection(context, flow, now, rejection, { ...received, stake })
}

/** False: somebody has changed it meanwhile. */
async function closeEvent(context: Context, event: StoredEvent): Promise<boolean> {
  const { law, winners: [winner] = [] } = event.body
  if (law?.exclusive === 'event' && winner !== undefined) await endRequests(context, event, winner)
  await endOrphans(context, event)
  await context.failpoints.reach('arbitrate.before_closing')
  const outcome = await context.store.commit(buildMovedEvent(event, CLOSED_EVENTS, event.body))
  return outcome.ok
}

/** Of flows that ended by themselves while they waited: nobody looks at their bids once the event is closed. */
async function dropEndedBids({ store }: Context, { key }: StoredEvent): Promise<void> {
  for (const bid of await store.listRecords('bid', key, { limit: MOST_MEMBERS }))
    if ((await store.readFlow(bid.key))?.state !== 'VALIDATING')
      await store.commit(buildTakenBid(bid))
}

/** Ends the flows of an event that was halted, as far as they are there. */
export async function stopEvent(context: Context, id: string): Promise<void> {
  const event = await context.store.readRecord('event', OPEN_EVENTS, id)
  if (event?.body.halted_by !== undefined) await stopHalted(context, event)
}

async function stopHalted(context: Context, event: StoredEvent): Promise<boolean> {
  if (!(await stopEventFlows(context, event))) return false
  await dropEndedBids(context, event)
  const outcome = await context.store.commit(buildMovedEvent(event, CLOSED_EVENTS, event.body))
  return outcome.ok
}
