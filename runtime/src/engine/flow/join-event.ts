/**
 * A flow that is opened below a flow of an event is one of that event: it bids for itself, is waited for, and HALT ends it.
 *
 * J1 it is written into the event in the unit that opens it. So a HALT, or a winner that is being dispatched, either sees it or
 *    makes its opening start over.
 * J2 while the time of the window lasts and nobody excludes it, it is waited for, also where all others had spoken already.
 * J3 where the event is not known, or was halted, nothing is opened.
 */
import { type Contract, err, type Failure, ok, type Result } from 'rubicon-kernel'
import type { EventMember, EventRecord } from '../../ports/event-record.ts'
import type { FlowRow, Store, Unit } from '../../ports/store.ts'
import { findEvent, OPEN_EVENTS } from './event-rows.ts'
import { buildChangedEvent, buildMovedEvent, MOST_MEMBERS } from './event-standing.ts'

const NOTHING: Unit = { guards: [], writes: [] }

type Joining = { readonly dfid: string; readonly contract: Contract; readonly now: string }

/** What the opening of a child adds to the event of its parent; nothing where the parent has none. */
export async function joinEvent(
  store: Store,
  { event, dfid: parent }: Pick<FlowRow, 'event' | 'dfid'>,
  { dfid, contract, now }: Joining,
): Promise<Result<Unit, Failure>> {
  if (event === null) return ok(NOTHING)
  const stored = await findEvent(store, event.event_id)
  if (stored === null) return err(lostEvent)
  const { body } = stored
  if (body.halted_by !== undefined) return err(haltedEvent)
  if (body.members.length >= MOST_MEMBERS) return err(fullEvent)
  const { agent_id: agent, priority, role } = contract
  const member: EventMember = { agent, dfid, priority, role, parent }
  const joined = { ...body, members: [...body.members, member] }
  return ok(
    isAwaiting(body, now)
      ? buildMovedEvent(stored, OPEN_EVENTS, joined)
      : buildChangedEvent(stored, joined),
  )
}

/** Whether a proposal that is made now waits for others. */
function isAwaiting({ law, closes_at, winners = [] }: EventRecord, now: string): boolean {
  if (law === null || closes_at === null || now >= closes_at) return false
  return law.exclusive !== 'event' || winners.length === 0
}

const lostEvent: Failure = {
  code: 'STATE_UNAVAILABLE',
  summary: 'the record of the event that the parent flow answers is missing',
  why: 'whether the event was halted, or who has won, cannot be known without it',
  fix: 'wait for the next event',
}

const haltedEvent: Failure = {
  code: 'EVENT_HALTED',
  summary: 'the event that the parent flow answers was halted',
  why: 'a child belongs to the event of its parent',
  fix: 'do nothing more about this event; the next one opens new flows',
}

const fullEvent: Failure = {
  code: 'FLOW_FULL',
  summary: `an event has at most ${MOST_MEMBERS} flows`,
  why: 'all flows of an event are looked at when its window ends',
  fix: 'delegate less of it, or do the rest in the flows that are open',
}
