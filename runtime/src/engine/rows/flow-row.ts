/** Moves a flow along the state machine. Every move is asserted: an illegal one is a bug. */
import { assert, type FlowState, type FlowTag, isPath } from 'rubicon-kernel'
import type { FlowRow } from '../../ports/store.ts'

export type FlowChange = Partial<
  Pick<
    FlowRow,
    'rejections' | 'transient_rejections' | 'attempts' | 'tags' | 'snapshot_id' | 'snapshot_at'
  >
>

export function moveFlow(
  flow: FlowRow,
  path: readonly FlowState[],
  at: string,
  change: FlowChange = {},
): FlowRow {
  assert(isPath(flow.state, path), `a flow may go from ${flow.state} by ${path.join(' → ')}`)
  let from = flow.state
  const steps = path.map((to) => {
    const step = { from, to, at }
    from = to
    return step
  })
  return {
    ...flow,
    ...change,
    state: from,
    version: flow.version + 1,
    updated_at: at,
    history: [...flow.history, ...steps],
  }
}

export function addTag(tags: readonly FlowTag[], tag: FlowTag): readonly FlowTag[] {
  return tags.includes(tag) ? tags : [...tags, tag]
}

export function removeTag(tags: readonly FlowTag[], tag: FlowTag): readonly FlowTag[] {
  return tags.filter((other) => other !== tag)
}
