/** Whether a flow can still be cancelled, as far as its row says: the server knows what was sent of it. */
import type { FlowSummary } from 'rubicon-agents/client'
import type { FlowState, FlowTag } from 'rubicon-kernel'

const OPEN: readonly FlowState[] = ['CREATED', 'ACTIVE', 'VALIDATING', 'ESCALATED', 'ACCEPTED']
/** An opinion, and what is over. Every other tag speaks of something that was sent. */
const HARMLESS: readonly FlowTag[] = ['NEEDS_REVIEW', 'COMPENSATED']

export function mayBeCancelled({ state, tags }: Pick<FlowSummary, 'state' | 'tags'>): boolean {
  const isHarmless = (tag: FlowTag): boolean =>
    HARMLESS.includes(tag) && !(tag === 'NEEDS_REVIEW' && state === 'ESCALATED')
  return OPEN.includes(state) && tags.every(isHarmless)
}
