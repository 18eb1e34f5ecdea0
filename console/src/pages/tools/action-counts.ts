/** What agents made of each action, among decisions that were read anyway. */
import type { DecisionRow, McpTool } from 'rubicon-agents/client'

export type ActionCounts = McpTool['calls']

const NONE: ActionCounts = { accepted: 0, rejected: 0, escalated: 0 }

const COUNTED = {
  ACCEPTED: 'accepted',
  REJECTED: 'rejected',
  ESCALATED: 'escalated',
} as const satisfies Record<DecisionRow['outcome'], keyof ActionCounts>

export function countByAction(
  decisions: readonly Pick<DecisionRow, 'policy_kind' | 'outcome'>[],
): (kind: string) => ActionCounts {
  const counts = new Map<string, ActionCounts>()
  for (const { policy_kind, outcome } of decisions) {
    const before = counts.get(policy_kind) ?? NONE
    const counted = COUNTED[outcome]
    counts.set(policy_kind, { ...before, [counted]: before[counted] + 1 })
  }
  return (kind) => counts.get(kind) ?? NONE
}
