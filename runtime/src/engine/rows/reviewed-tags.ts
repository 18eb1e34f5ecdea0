import type { FlowTag } from 'rubicon-kernel'
import type { FlowRow } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { removeTag } from './flow-row.ts'
import { FLAGGING_KINDS, listFlowReviews, listOpenFlags } from './review-flags.ts'

/**
 * A flow needs a person until it is clean, each of its steps is settled, and somebody has looked at what guards and
 * limits flagged in it; `step` is settled with this.
 */
export async function computeReviewedTags(
  { store }: Pick<Context, 'store'>,
  { dfid }: Pick<FlowRow, 'dfid'>,
  tags: readonly FlowTag[],
  step?: string,
): Promise<readonly FlowTag[]> {
  if (tags.includes('DIRTY') || !tags.includes('NEEDS_REVIEW')) return tags
  const waiting = await store.listExecutions({ dfid, status: ['MANUAL_REVIEW'], limit: 2 })
  const isWaiting = waiting.some(({ step_id }) => step_id !== step)
  if (isWaiting) return tags
  // To settle an effect, or to take it back, is not to look at what somebody said of it.
  const reviews = listFlowReviews(await store.listFlowEntries(dfid, FLAGGING_KINDS))
  return listOpenFlags(reviews).length > 0 ? tags : removeTag(tags, 'NEEDS_REVIEW')
}
