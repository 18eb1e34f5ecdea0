/**
 * What is said to a flow that has ended. The retry governor counts against open flows only, so that an
 * ended one would take any number of proposals, each with an entry of its own and all the bytes that
 * the agent chose. The first few are answered and recorded; the others are answered and counted.
 */
import { type Answer, LIMITS } from 'rubicon-kernel'
import type { FlowRow, Unit } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { buildRejectedAnswer } from './answer.ts'

export function hasEnded({ state }: Pick<FlowRow, 'state'>): boolean {
  return state === 'CLOSED' || state === 'ABORTED'
}

/** Proposals that came after the end. */
export function toLateCounter(dfid: string): string {
  return `late ${dfid}`
}

/** What belongs into the unit that records the refusal; or the answer, where none is recorded. */
export async function countLateProposal(
  { store }: Context,
  flow: FlowRow,
): Promise<Unit | { readonly answer: Answer }> {
  if (!hasEnded(flow)) return { guards: [], writes: [] }
  const { dfid, state } = flow
  const id = toLateCounter(dfid)
  const count = { kind: 'count', id, by: 1 } as const
  const limit = LIMITS.lateProposals
  const counted = await store.readCounter(id)
  // Of two that come at once the guard lets one through; the other looks again.
  if (counted < limit) return { guards: [{ kind: 'counter', id, by: 1, limit }], writes: [count] }
  await store.commit({ guards: [], writes: [count] })
  const refused = { dfid, attempt: 0, code: 'FLOW_ENDED', stage: 'queue', trace_id: '' } as const
  return {
    answer: buildRejectedAnswer({ ...refused, details: { state, proposals: counted + 1 } }, null),
  }
}
