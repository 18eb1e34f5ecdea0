/**
 * Forgets who won in an event and who halted it, once nobody can ask any more. What was woken and decided stands in the ledger.
 *
 * 1. Only an event that is closed, was taken in longer ago than `EVENT_LIMITS.keepMs`, and of which no flow is open, has an effect
 *    under way, or is still to be opened. Flows that have ended stay so, and below them nothing is opened.
 * 2. A flow whose event is forgotten all the same does nothing: every dispatch of it, its HALT and every opening below it need
 *    the record.
 * 3. So many in a round, the oldest first; one that cannot go is looked at again after a day.
 */
import { EVENT_LIMITS, formatInstant, MAIN, OPEN_FLOW_STATES, parseInstant } from 'rubicon-kernel'
import type { EventMember } from '../../ports/event-record.ts'
import type { StoredRecord } from '../../ports/record.ts'
import type { Guard, Write } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import {
  buildEventDue,
  CLOSED_EVENTS,
  EVENTS_DUE,
  findEvent,
  toWakeName,
} from '../flow/event-rows.ts'
import { findPendingTimer } from '../flow/timer-units.ts'
import { processRows } from '../rows/each-row.ts'
import { isBusy } from './expire-flows.ts'

const AT_ONCE = 500
const AGAIN_MS = 86_400_000

/** Returns how many were forgotten. */
export async function forgetEvents(context: Context): Promise<number> {
  const { store } = context
  const { now } = await store.readNow(MAIN)
  const before = Math.max(0, (parseInstant(now) ?? 0) - EVENT_LIMITS.keepMs)
  const until = formatInstant(before)
  const due = await store.listRecords('event_due', EVENTS_DUE, { until, limit: AT_ONCE })
  const again = formatInstant(before + AGAIN_MS)
  return processRows(context, 'expiry', due, (row) => forgetEvent(context, row, until, again))
}

async function forgetEvent(
  context: Context,
  { group, key, version, body: { event_id } }: StoredRecord<'event_due'>,
  until: string,
  again: string,
): Promise<boolean> {
  const { store } = context
  const row = { record: 'event_due', group, key } as const
  const guards: Guard[] = [{ kind: 'record_version', ...row, version }]
  const writes: Write[] = [{ kind: 'drop_record', ...row }]
  const event = await findEvent(store, event_id)
  const mayGo = event !== null && event.body.at <= until && (await isOver(context, event))
  if (event !== null && !mayGo) writes.push(buildEventDue(again, event_id))
  if (event !== null && mayGo) {
    const gone = { record: 'event', group: event.group, key: event_id } as const
    guards.push({ kind: 'record_version', ...gone, version: event.version })
    writes.push({ kind: 'drop_record', ...gone })
  }
  return (await store.commit({ guards, writes })).ok && mayGo
}

async function isOver(
  context: Context,
  { group, key, body: { members, topic } }: StoredRecord<'event'>,
): Promise<boolean> {
  if (group !== CLOSED_EVENTS) return false
  for (const member of members) if (!(await isMemberOver(context, key, topic, member))) return false
  return true
}

/** The wake-up is asked for first: the unit that takes it away opens the flow. */
async function isMemberOver(
  context: Context,
  event_id: string,
  topic: string,
  { agent, dfid }: EventMember,
): Promise<boolean> {
  const pending = await findPendingTimer(context, toWakeName(agent, topic))
  if (pending?.body.event?.event_id === event_id) return false
  const flow = await context.store.readFlow(dfid)
  if (flow !== null && OPEN_FLOW_STATES.includes(flow.state)) return false
  return !(await isBusy(context, dfid))
}
