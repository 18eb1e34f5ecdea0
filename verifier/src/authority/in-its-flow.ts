/**
 * Does what is said of a flow stand in it? Whoever looks a flow up reads its own trajectory: what stands
 * elsewhere would count for a verifier, and be seen by nobody.
 */
import { AUTHORITY, ERASURE } from 'rubicon-kernel'
import type { ReadEntry } from '../reading/read-entry.ts'
import type { AuthorityState } from './authority-state.ts'

/** After the entry was taken in: an opening stands in the flow that it opens. */
export function findPlaceProblems(
  { flows, writs, whole }: AuthorityState,
  { envelope, payload }: ReadEntry,
): string[] {
  const { dfid, trajectory } = envelope
  if (trajectory === AUTHORITY || trajectory === ERASURE) return []
  if (dfid === undefined) return isOfFlow(payload) ? ['it names no flow'] : []
  const flow = flows.get(dfid)
  if (flow !== undefined)
    return flow.trajectory === trajectory ? [] : ['its flow stands in another trajectory']
  // Of what is done in a flow that says so itself.
  const isLeftOut = !whole || writs.isErasedOf(dfid)
  return isLeftOut || envelope.kind !== 'evidence' ? [] : ['its flow was never opened']
}

const OF_FLOWS: readonly string[] = ['model', 'adviser', 'saga', 'review', 'kernel']

/** How a flow stands (closed by its agent, half done, put right, reviewed), and what a model was asked about it. */
function isOfFlow(payload: ReadEntry['payload']): boolean {
  if (payload?.kind !== 'evidence') return false
  const { source } = payload.payload
  if (OF_FLOWS.includes(source)) return true
  return source === 'agent' && 'finding' in payload.payload
}
