import type { ReactNode } from 'react'
import type { OverviewAgents } from 'rubicon-agents/client'
import { formatAmount } from '../../parts/amount.ts'

/** Where there are too many agents to read every budget, a card without a name is no proof that nothing is near a limit. */
export function BudgetsLookedAt({ agents }: { readonly agents: OverviewAgents }): ReactNode {
  const { of, looked_at } = agents
  if (looked_at >= of) return null
  return (
    <p className="quiet small">
      Budgets of {formatAmount(String(looked_at))} of {formatAmount(String(of))} agents were looked
      at: of those at work last.
    </p>
  )
}
