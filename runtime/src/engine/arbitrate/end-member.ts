/** Flows of an event that end by what another flow of it did: a HALT, or a dispatch while they wait for a person. */
import {
  type Ending,
  type EventWinner,
  type FlowState,
  formatInstant,
  isObject,
  isReserved,
  LIMITS,
  MAIN,
  parseInstant,
  type Refusal,
} from 'rubicon-kernel'
import type { FlowRow, Unit, Write } from '../../ports/store.ts'
import { abandon } from '../effect/abandon.ts'
import type { Context } from '../engine-context.ts'
import { type StoredEvent, toEventStanding } from '../flow/event-standing.ts'
import { returnBudget } from '../flow/return-budget.ts'
import { moveFlow } from '../rows/flow-row.ts'
import { buildGovernorEntry } from '../rows/governor-entry.ts'
import { loadEscalation } from '../rows/stored-escalation.ts'
import { parseIntent } from '../rows/stored-intent.ts'
import { buildTakenBid } from './stored-bid.ts'

/** How long a flow that was announced may still be opened. */
const OPENING_MS = 300_000
/** Nothing of these has been dispatched and is on its way. */
const UNDISPATCHED: readonly FlowState[] = ['CREATED', 'ACTIVE', 'VALIDATING', 'ESCALATED']
const NOTHING: Unit = { guards: [], writes: [] }

/** After a HALT. True: none of its flows can go on, and none will be opened. */
export async function stopEventFlows(context: Context, event: StoredEvent): Promise<boolean> {
  const { store } = context
  const { halted_by, event_id } = toEventStanding(event)
  const refusal: Refusal = { code: 'EVENT_HALTED', details: { event_id, halted_by } }
  const { now } = await store.readNow(MAIN)
  const last = formatInstant((parseInstant(event.body.at) ?? 0) + OPENING_MS)
  let isOver = true
  for (const { dfid, ended } of event.body.members) {
    if (dfid === halted_by) continue
    const flow = await store.readFlow(dfid)
    if (flow === null) isOver &&= ended !== undefined || now > last
    else await endMember(context, event, dfid, { refusal, ending: 'EVENT_HALTED' })
  }
  return isOver
}

/** Another has won: whatever of the event waits for a person is not asked any more. */
export async function endRequests(
  context: Context,
  event: StoredEvent,
  { dfid: winner, policy_kind }: EventWinner,
): Promise<void> {
  const details = { event_id: event.key, winner, winner_kind: policy_kind }
  const refusal: Refusal = { code: 'PREEMPTED', details }
  const isConcerned = (flow: FlowRow): Promise<boolean> => isAskedAboutLoser(context, flow)
  for (const { dfid } of event.body.members)
    if (dfid !== winner)
      await endMember(context, event, dfid, { refusal, ending: 'PREEMPTED', isConcerned })
}

/** What its flow waits with is gone, or cannot be read: nothing would ever become of it. */
export async function endOrphans(context: Context, event: StoredEvent): Promise<void> {
  const details = { event_id: event.key, missing: 'what it waited with' }
  const refusal: Refusal = { code: 'FLOW_CANCELLED', details }
  const isConcerned = async ({ dfid, state }: FlowRow): Promise<boolean> =>
    state === 'VALIDATING' && (await context.store.readRecord('bid', event.key, dfid)) === null
  for (const { dfid } of event.body.members)
    await endMember(context, event, dfid, { refusal, isConcerned })
}

/** An agent that asked for a person itself has not lost anything, nor has one that wants a reserved kind: HALT counts whoever has won. */
async function isAskedAboutLoser(context: Context, flow: FlowRow): Promise<boolean> {
  if (flow.state !== 'ESCALATED') return false
  const id = `${flow.dfid}:${flow.attempts}`
  const stored =
    (await loadEscalation(context, 'open', id)) ?? (await loadEscalation(context, 'approved', id))
  if (stored?.body.request.kind !== 'proposal') return false
  const { proposal } = stored.body
  const kind = isObject(proposal) ? proposal.policy_kind : null
  return typeof kind !== 'string' || !isReserved(kind)
}

type MemberEnd = {
  readonly refusal: Refusal
  readonly ending?: Ending
  /**
   * Whether it ends, as the row says that its unit guards. What it was a moment before does not count: it may have won, or
   * have asked about something else. Absent: whatever it is.
   */
  readonly isConcerned?: (flow: FlowRow) => Promise<boolean>
}

async function endMember(
  context: Context,
  event: StoredEvent,
  dfid: string,
  { refusal, ending, isConcerned }: MemberEnd,
): Promise<void> {
  const { store } = context
  for (let attempt = 0; attempt < LIMITS.unitAttempts; attempt++) {
    const flow = await store.readFlow(dfid)
    if (flow === null || (await isConcerned?.(flow)) === false) return
    if (flow.state === 'ACCEPTED') {
      if (await giveBack(context, flow, refusal)) return
      continue
    }
    if (!UNDISPATCHED.includes(flow.state)) return
    const { now } = await store.readNow(flow.trajectory)
    const after = moveFlow(flow, ['ABORTED'], now)
    const bid = await store.readRecord('bid', event.key, dfid)
    const taken = bid === null ? NOTHING : buildTakenBid(bid)
    const writes: Write[] = [
      buildGovernorEntry(context, flow, refusal.code, refusal.details, ending),
      { kind: 'put_flow', flow: after },
      ...taken.writes,
    ]
    const returned = await returnBudget(context, flow, after, writes)
    const outcome = await store.commit({
      guards: [{ kind: 'flow_version', dfid, version: flow.version }, ...taken.guards],
      writes: [...writes, ...returned],
    })
    if (outcome.ok) return
  }
}

/** What was accepted for an executor and not dispatched. False: it has moved on. */
async function giveBack(context: Context, flow: FlowRow, refusal: Refusal): Promise<boolean> {
  const { dfid } = flow
  const [execution] = await context.store.listExecutions({ dfid, status: ['ACCEPTED'], limit: 1 })
  if (execution === undefined) return false
  const accepted = { intent: parseIntent(execution.intent), execution, flow }
  return (await abandon(context, accepted, refusal, true)) !== null
}
