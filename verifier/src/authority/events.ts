/**
 * Were the flows that say so woken by an event, and is every event what it is called?
 *
 * 1. An event has the name of its content, and names every flow and every agent once.
 * 2. A flow that names an event was announced by it, for its agent; one that was announced names its event.
 * 3. A flow that is opened below another names the event of that one, and none where that one has none.
 */
import {
  type Address,
  computeEventId,
  type EventPayload,
  type Sha256,
  type WritPayload,
} from 'rubicon-kernel'
import type { OpenedFlow } from '../compact-records/flow-rows.ts'
import type { AuthorityState } from './authority-state.ts'

/** By which event, for whom, and what it is about. */
export type AnnouncedFlow = {
  readonly event_id: Address
  readonly agent: string
  readonly topic: string
}

/** That its name is that of its content. */
export function findEventProblems(
  { salt: _, event_id, ...body }: EventPayload,
  sha256: Sha256,
): readonly string[] {
  return computeEventId(body, sha256) === event_id ? [] : ['event_id does not match']
}

export function foldEvent(state: AuthorityState, event: EventPayload): string[] {
  const { event_id, topic, woken, not_woken, admission } = event
  const found: string[] = []
  state.topics.set(event_id, topic)
  const agents = new Set(woken.map(({ agent }) => agent))
  if (agents.size < woken.length) found.push('it wakes an agent twice')
  if (not_woken.some(({ agent }) => agents.has(agent)))
    found.push('it leaves out an agent that it wakes')
  if (woken.length + not_woken.length !== admission.candidates)
    found.push('it counts others than it names')
  for (const { agent, dfid } of woken) {
    if (state.announced.has(dfid) || state.flows.has(dfid))
      found.push('it announces a flow that was there before')
    else state.announced.set(dfid, { event_id, agent, topic })
  }
  return found
}

/** The event of a flow, and what it is about; null: there is none, or it is not known. */
type Named = Pick<OpenedFlow, 'event' | 'topic'> & { readonly found: readonly string[] }

/** What an opening says of the event that woke its agent, or the flow that it is opened below. */
export function foldWoken(
  state: AuthorityState,
  { dfid, agent_id, event_id, parent_dfid }: NonNullable<WritPayload['flow']>,
): Named {
  const announced = state.announced.get(dfid)
  state.announced.delete(dfid)
  if (announced === undefined)
    return parent_dfid === undefined
      ? foldUnannounced(state, event_id)
      : foldBelow(state, parent_dfid, event_id)
  const { event_id: event, agent, topic } = announced
  const isSame = event === event_id && agent === agent_id
  const found = isSame ? [] : ['the event that announced it woke somebody else']
  if (parent_dfid !== undefined) found.push('an event woke it, and it has a parent flow')
  return { event, topic, found }
}

/** A bundle may have left the event out. */
function foldUnannounced({ whole }: AuthorityState, event_id: Address | undefined): Named {
  if (!whole) return { event: event_id ?? null, topic: null, found: [] }
  const found = event_id === undefined ? [] : ['no event before it woke its agent']
  return { event: null, topic: null, found }
}

/** Otherwise whoever delegates would act beside the others of its event, and after a HALT. */
function foldBelow(state: AuthorityState, parent: string, event_id: Address | undefined): Named {
  const event = event_id ?? null
  const above = state.flows.get(parent) ?? findAnnounced(state, parent)
  // The opening of the parent was erased, or is not in the ledger, which is found elsewhere.
  if (above === undefined)
    return { event, topic: event === null ? null : (state.topics.get(event) ?? null), found: [] }
  const isSame = above.event === event
  const found = isSame ? [] : ['it does not belong to the event of its parent flow']
  return { event: above.event, topic: above.topic, found }
}

/** Its opening may be erased; what announced it is not. */
function findAnnounced(
  { announced }: AuthorityState,
  dfid: string,
): Pick<OpenedFlow, 'event' | 'topic'> | undefined {
  const found = announced.get(dfid)
  return found === undefined ? undefined : { event: found.event_id, topic: found.topic }
}
