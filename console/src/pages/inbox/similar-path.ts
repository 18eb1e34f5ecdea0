/** Where what people decided about requests like this one is listed: of the same agent and action. */
import type { EscalationBrief } from 'rubicon-agents/client'

export function toSimilarPath({
  agent_id,
  action,
  before,
}: Pick<EscalationBrief, 'agent_id' | 'action' | 'before'>): string {
  const isDecided = before.overridden + before.modified + before.aborted > 0
  const query = new URLSearchParams({
    in: isDecided ? 'decided' : 'expired',
    agent: agent_id,
    ...(action === null ? {} : { kind: action }),
    within: '30d',
  })
  return `/inbox?${query}`
}
