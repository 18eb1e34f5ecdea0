/**
 * HALT: stops everything that is not dispatched yet for the event that opened the flow, whenever it arrives.
 *
 * It consists of one word in the record of the event. Whatever is dispatched for the event guards that record, so that nothing
 * is from then on; its flows are ended by whoever looks at the event next, here at once.
 */
import { LIMITS, type SignedIntent } from 'rubicon-kernel'
import { type Effect, NotApplied, type ProbeAnswer } from '../../ports/capability.ts'
import type { Unit } from '../../ports/store.ts'
import { stopEvent } from '../arbitrate/settle-event.ts'
import type { Context, UnitEffect } from '../engine-context.ts'
import { findEvent, OPEN_EVENTS } from '../flow/event-rows.ts'
import { buildMovedEvent, type StoredEvent } from '../flow/event-standing.ts'

export async function applyHalt(context: Context, intent: SignedIntent): Promise<Effect> {
  for (let attempt = 0; attempt < LIMITS.unitAttempts; attempt++) {
    const event = await loadEvent(context, intent)
    const outcome = await context.store.commit(buildHaltUnit(event, intent))
    if (!outcome.ok) continue
    await stopEvent(context, event.key)
    return describeHalt(event)
  }
  throw new NotApplied('the event kept changing', { transient: true })
}

export async function prepareHalt(context: Context, intent: SignedIntent): Promise<UnitEffect> {
  const event = await loadEvent(context, intent)
  return {
    effect: describeHalt(event),
    unit: buildHaltUnit(event, intent),
    finish: () => stopEvent(context, event.key),
    explain: () => null,
  }
}

export async function probeHalted(context: Context, intent: SignedIntent): Promise<ProbeAnswer> {
  const event = await loadEvent(context, intent)
  if (event.body.halted_by === undefined) return { finding: 'absent' }
  return { finding: 'applied', effect: describeHalt(event) }
}

async function loadEvent({ store }: Context, { dfid }: SignedIntent): Promise<StoredEvent> {
  const flow = await store.readFlow(dfid)
  const id = flow?.event?.event_id
  const event = id === undefined ? null : await findEvent(store, id)
  if (event === null) throw new NotApplied('no event opened this flow')
  return event
}

/** An event that was over is looked at again; one that somebody halted before stays theirs. */
function buildHaltUnit(event: StoredEvent, { dfid }: SignedIntent): Unit {
  const halted_by = event.body.halted_by ?? dfid
  return buildMovedEvent(event, OPEN_EVENTS, { ...event.body, halted_by })
}

function describeHalt({ key, body }: StoredEvent): Effect {
  return { result: { event_id: key, members: body.members.length } }
}
