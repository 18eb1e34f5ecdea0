/** How an event stands, as its record says. */
import {
  type EventStanding,
  type EventWinner,
  type ExecutionIntent,
  findEventRefusal,
  type Refusal,
} from 'rubicon-kernel'
import type { EventRecord } from '../../ports/event-record.ts'
import type { StoredRecord } from '../../ports/record.ts'
import type { FlowRow, Guard, Unit, Write } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { type CLOSED_EVENTS, findEvent, type OPEN_EVENTS } from './event-rows.ts'

export type StoredEvent = StoredRecord<'event'>

/** Flows of one event: those that it woke, at most 1,024 and monitors, and what is opened below them. */
export const MOST_MEMBERS = 2_048

export function toEventStanding({ key, body }: Pick<StoredEvent, 'key' | 'body'>): EventStanding {
  return { event_id: key, winners: body.winners ?? [], halted_by: body.halted_by ?? null }
}

/** It is still as it was read. */
export function buildEventGuard({ group, key, version }: StoredEvent): Guard {
  return { kind: 'record_version', record: 'event', group, key, version }
}

/** The same event in its place. */
export function buildChangedEvent(event: StoredEvent, body: EventRecord): Unit {
  const { group, key } = event
  return {
    guards: [buildEventGuard(event)],
    writes: [{ kind: 'put_record', record: 'event', group, key, body }],
  }
}

/** The same event where it is looked at, or where it is not any more. */
export function buildMovedEvent(
  event: StoredEvent,
  group: typeof OPEN_EVENTS | typeof CLOSED_EVENTS,
  body: EventRecord,
): Unit {
  if (event.group === group) return buildChangedEvent(event, body)
  const { key } = event
  const drop: Write = { kind: 'drop_record', record: 'event', group: event.group, key }
  return {
    guards: [
      buildEventGuard(event),
      { kind: 'record_version', record: 'event', group, key, version: null },
    ],
    writes: [drop, { kind: 'put_record', record: 'event', group, key, body }],
  }
}

/** A flow that wins with several steps is one winner. */
export function addWinner(
  { winners = [], ...body }: EventRecord,
  { dfid, policy_kind, resources }: Pick<ExecutionIntent, 'dfid' | 'policy_kind' | 'resources'>,
): EventRecord {
  const names = resources.map(({ id }) => id)
  const known = winners.find((one) => one.dfid === dfid)
  const winner: EventWinner =
    known === undefined
      ? { dfid, policy_kind, resources: names }
      : { ...known, resources: [...new Set([...known.resources, ...names])] }
  return { ...body, winners: [...winners.filter((one) => one.dfid !== dfid), winner] }
}

/** Of a flow that an event woke: nobody has halted the event until it is dispatched. */
export async function readEventGuards(
  { store }: Pick<Context, 'store'>,
  { dfid, event }: Pick<FlowRow, 'dfid' | 'event'>,
): Promise<readonly Guard[] | Refusal> {
  if (event === null) return []
  const stored = await findEvent(store, event.event_id)
  if (stored === null) return buildLostEventRefusal(event.event_id)
  const refusal = findEventRefusal(null, toEventStanding(stored), { dfid, resources: [] })
  return refusal ?? [buildEventGuard(stored)]
}

export function buildLostEventRefusal(event_id: string): Refusal {
  return { code: 'STATE_UNAVAILABLE', details: { missing: 'the record of its event', event_id } }
}
