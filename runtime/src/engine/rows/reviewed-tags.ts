import type { FlowTag } from 'rubicon-kernel'
import type { FlowRow } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { removeTag } from './flow-row.ts'

/** A flow needs a person until it is clean, and each of its steps is settled; `step` is, with this. */
export async function computeReviewedTags(
  { store }: Pick<Context, 'store'>,
  { dfid }: Pick<FlowRow, 'dfid'>,
  tags: readonly FlowTag[],
  step?: string,
): Promise<readonly FlowTag[]> {
  if (tags.includes('DIRTY')) return tags
  const waiting = await store.listExecutions({ dfid, status: ['MANUAL_REVIEW'], limit: 2 })
  const isWaiting = waiting.some(({ step_id }) => step_id !== step)
  return isWaiting ? tags : removeTag(tags, 'NEEDS_REVIEW')
}
