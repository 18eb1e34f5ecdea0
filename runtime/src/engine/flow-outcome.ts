/** Where a flow goes when one of its effects is settled. */
import {
  type ExecutionStatus,
  type FlowState,
  type FlowTag,
  LIMITS,
  unreachable,
} from 'rubicon-kernel'
import type { FlowRow } from '../ports/store.ts'
import type { Context } from './context.ts'
import { moveFlow, withoutTag, withTag } from './flow-row.ts'
import type { Settlement } from './settle.ts'

export async function flowAfter(
  context: Context,
  flow: FlowRow,
  status: ExecutionStatus,
  settlement: Settlement,
  now: string,
): Promise<FlowRow> {
  const settledTags = withoutTag(flow.tags, 'UNKNOWN')
  switch (status) {
    case 'SUCCESS':
      return moveFlow(flow, [flow.steps === 'one' ? 'CLOSED' : 'ACTIVE'], now, {
        tags: settledTags,
      })
    case 'FAILED': {
      const { path, tags } = await afterFailure(context, flow, settledTags)
      return moveFlow(flow, path, now, { tags })
    }
    case 'MANUAL_REVIEW': {
      const dirty = settlement.kind === 'dirty' ? withTag(settledTags, 'DIRTY') : settledTags
      return moveFlow(flow, flow.state === 'ESCALATED' ? [] : ['ESCALATED'], now, {
        tags: withTag(dirty, 'NEEDS_REVIEW'),
      })
    }
    case 'UNKNOWN':
      return moveFlow(flow, [], now, { tags: withTag(flow.tags, 'UNKNOWN') })
    case 'NOT_APPLIED':
    case 'ACCEPTED':
    case 'DISPATCHED':
    case 'ABANDONED':
      return moveFlow(flow, [], now, { tags: settledTags })
    default:
      return unreachable(status)
  }
}

/** A failure after a success leaves half a job done: the flow is dirty. */
async function afterFailure(
  { store }: Context,
  flow: FlowRow,
  tags: readonly FlowTag[],
): Promise<{ readonly path: readonly FlowState[]; readonly tags: readonly FlowTag[] }> {
  if (flow.steps === 'one') return { path: ['ABORTED'], tags }
  const earlier = await store.executions({
    dfid: flow.dfid,
    status: ['SUCCESS'],
    limit: LIMITS.entriesPerPage,
  })
  if (earlier.length === 0) return { path: ['ACTIVE'], tags }
  return { path: ['ABORTED'], tags: withTag(tags, 'DIRTY') }
}
