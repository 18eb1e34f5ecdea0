/** What runs although a limit would have asked: its flow needs a review, and somebody is told. */
import type { Verdict } from 'rubicon-kernel'
import type { DecisionView, FlowRow, Write } from '../../ports/store.ts'
import { addTag } from '../rows/flow-row.ts'
import { buildNoticeWrite } from './queue.ts'

type Staged = Extract<Verdict, { kind: 'staged' }>

export function buildFlaggedUnit(
  { flow, now }: Pick<DecisionView, 'flow' | 'now'>,
  { flagged }: Pick<Staged, 'flagged'>,
): { readonly tags: Partial<Pick<FlowRow, 'tags'>>; readonly writes: readonly Write[] } {
  const [first] = flagged
  if (first === undefined) return { tags: {}, writes: [] }
  const { dfid, agent_id } = flow
  const attempt = flow.attempts + 1
  const notice = buildNoticeWrite({
    id: `${dfid}:${attempt}:needs_review`,
    kind: 'needs_review',
    agent_id,
    dfid,
    reason_code: first.code,
    channel: 'operator',
    at: now,
    details: { attempt, limits: flagged.map(({ id }) => id) },
  })
  return { tags: { tags: addTag(flow.tags, 'NEEDS_REVIEW') }, writes: [notice] }
}
