/** A flow whose story does not fit its action is looked at by a person. Nothing is stopped by it. */
import { LIMITS } from 'rubicon-kernel'
import { OPERATOR_CHANNEL } from '../../ports/notifier.ts'
import type { Deps } from '../deps.ts'
import { buildNoticeWrite } from '../notices/queue.ts'
import { isArchived } from '../rows/archived-flow.ts'
import { isErased } from '../rows/erased-flow.ts'
import { addTag, moveFlow } from '../rows/flow-row.ts'
import { buildOpinionWrite, type Subject } from './opinion.ts'

export async function flagFlow(
  deps: Deps,
  { attempt, ...subject }: Subject & { readonly attempt: number },
  against: readonly { readonly guard: string; readonly why: string }[],
): Promise<void> {
  const { store, failpoints } = deps
  const { dfid } = subject
  const said = { source: 'soft_guard', finding: 'mismatch', strict: false } as const
  for (let tries = 0; tries < LIMITS.unitAttempts; tries++) {
    const flow = await store.readFlow(dfid)
    if (flow === null || isErased(flow) || isArchived(flow)) return
    const { now } = await store.readNow(flow.trajectory)
    const notice = buildNoticeWrite({
      // Not that of a limit which flagged the same attempt: whoever has seen one drops the other.
      id: `${dfid}:${attempt}:semantic_mismatch`,
      kind: 'needs_review',
      agent_id: flow.agent_id,
      dfid,
      reason_code: 'SEMANTIC_MISMATCH',
      channel: OPERATOR_CHANNEL,
      at: now,
      details: { attempt, guards: against.map(({ guard }) => guard) },
    })
    await failpoints.reach('guard.before_flag')
    const outcome = await store.commit({
      guards: [{ kind: 'flow_version', dfid, version: flow.version }],
      writes: [
        ...against.map(({ guard, why }) =>
          buildOpinionWrite(deps, subject, { by: guard, why, ...said }),
        ),
        {
          kind: 'put_flow',
          flow: moveFlow(flow, [], now, { tags: addTag(flow.tags, 'NEEDS_REVIEW') }),
        },
        notice,
      ],
    })
    if (outcome.ok) return
  }
}
