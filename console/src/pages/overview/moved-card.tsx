import type { ReactNode } from 'react'
import type { MovedBudget } from 'rubicon-agents/client'
import { formatAmount } from '../../parts/amount.ts'
import { BarMeter } from '../../parts/bar-meter.tsx'
import { Card } from '../../parts/card.tsx'
import { Empty } from '../../parts/outcomes.tsx'
import { When } from '../../parts/when.tsx'
import { Link } from '../../url/link.tsx'
import { useKeptOrder } from './keep-order.ts'

const SHOWN = 6

/** What was used of budgets, money among it, the fullest first. */
export function MovedCard({ moved }: { readonly moved: readonly MovedBudget[] }): ReactNode {
  const kept = useKeptOrder(moved, toBudgetId)
  return (
    <Card title="Used of budgets" href="/agents" more="All agents">
      {kept.length === 0 ? <Empty what="No contract in force has a budget." /> : null}
      <ul className="overview-meters">
        {kept.slice(0, SHOWN).map((budget) => (
          <li key={toBudgetId(budget)}>
            <BudgetLine budget={budget} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function toBudgetId({ agent, of, measure }: MovedBudget): string {
  return `${agent} ${of} ${measure}`
}

function BudgetLine({ budget }: { readonly budget: MovedBudget }): ReactNode {
  const { agent, of, measure, used, limit, share, resets_at } = budget
  return (
    <>
      <Link className="overview-what" href={`/agents/${encodeURIComponent(agent)}`}>
        {agent}
      </Link>
      <span className="number overview-side" title={`${Math.round(share * 100)} %`}>
        {formatAmount(used)} / {formatAmount(limit)}
      </span>
      <BarMeter label={null} used={Math.min(100, share * 100)} />
      <span className="quiet small">
        {measure} {of === 'agent' ? 'this hour' : 'over all flows'}
        {resets_at === null ? null : (
          <>
            , resets <When at={resets_at} />
          </>
        )}
      </span>
    </>
  )
}
