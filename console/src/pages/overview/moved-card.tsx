import type { ReactNode } from 'react'
import type { MovedBudget, Overview } from 'rubicon-agents/client'
import { formatAmount } from '../../parts/amount.ts'
import { BarMeter } from '../../parts/bar-meter.tsx'
import { Card } from '../../parts/card.tsx'
import { Empty } from '../../parts/outcomes.tsx'
import { formatMeasured } from '../../parts/unit.ts'
import { When } from '../../parts/when.tsx'
import { Link } from '../../url/link.tsx'
import { BudgetsLookedAt } from './budgets-looked-at.tsx'
import { useKeptOrder } from './keep-order.ts'
import { toFlowsPath } from './range.ts'

const SHOWN = 6

/** What accepted proposals come to, money among it, and the budgets of which most is used. */
export function MovedCard({ overview }: { readonly overview: Overview }): ReactNode {
  const used = overview.moved.filter(({ share }) => share > 0)
  const kept = useKeptOrder(used, toBudgetId)
  return (
    <Card title="Accepted amounts and budgets" href="/agents" more="All budgets">
      <AllowedAmounts overview={overview} />
      <ul className="overview-meters" data-lines="budgets">
        {kept.slice(0, SHOWN).map((budget) => (
          <li key={toBudgetId(budget)}>
            <BudgetLine budget={budget} />
          </li>
        ))}
      </ul>
      {kept.length === 0 ? <Empty what="No budget has been used yet." /> : null}
      <BudgetsLookedAt agents={overview.agents} />
    </Card>
  )
}

function AllowedAmounts({ overview }: { readonly overview: Overview }): ReactNode {
  const { since, until } = overview
  const allowed = useKeptOrder(overview.allowed, ({ measure }) => measure)
  return (
    <ul className="overview-amounts">
      {allowed.map(({ measure, amount, flows }) => (
        <li key={measure}>
          <span className="overview-amount">{formatMeasured(amount, measure)}</span> {measure}
          <Link
            className="overview-side small"
            href={toFlowsPath({ since, until, outcome: 'accepted', measure })}
          >
            {formatAmount(String(flows))} {flows === 1 ? 'flow' : 'flows'}
          </Link>
        </li>
      ))}
    </ul>
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
        {formatMeasured(used, measure)} / {formatMeasured(limit, measure)}
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
