/**
 * Were the flows that say so woken by an event, and is every event what it is called?
 *
 * 1. An event has the name of its content, and names every flow and every agent once.
 * 2. A flow that names an event was announced by it, for its agent; one that was announced names its event.
 */
import {
  type Address,
  computeEventId,
  type EventPayload,
  type Sha256,
  type WritPayload,
} from 'rubicon-kernel'
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

/** What an opening says of the event that woke its agent. A bundle may have left the event out. */
export function foldWoken(
  state: AuthorityState,
  { dfid, agent_id, event_id }: NonNullable<WritPayload['flow']>,
): { readonly topic: string | null; readonly found: readonly string[] } {
  const announced = state.announced.get(dfid)
  state.announced.delete(dfid)
  if (announced === undefined) {
    const isMissing = event_id !== undefined && state.whole
    return { topic: null, found: isMissing ? ['no event before it woke its agent'] : [] }
  }
  const isSame = announced.event_id === event_id && announced.agent === agent_id
  const found = isSame ? [] : ['the event that announced it woke somebody else']
  return { topic: announced.topic, found }
}
