import type { ReactNode } from 'react'
import type { Overview } from 'rubicon-agents/client'
import { formatAmount } from '../../parts/amount.ts'
import { Card } from '../../parts/card.tsx'
import { Empty } from '../../parts/outcomes.tsx'
import { Sparkline } from '../../parts/sparkline.tsx'
import { Link } from '../../url/link.tsx'
import { useKeptOrder } from './keep-order.ts'
import { toFlowsPath } from './range.ts'

/** Why agents were refused, the most frequent reasons first. */
export function ReasonsCard({ overview }: { readonly overview: Overview }): ReactNode {
  const { since, until } = overview
  const reasons = useKeptOrder(overview.reasons, ({ code }) => code)
  const most = Math.max(1, ...reasons.map(({ count }) => count))
  const all = toFlowsPath({ since, until, outcome: 'rejected' })
  return (
    <Card title="Why we said no" href={all} more="All that was rejected">
      {reasons.length === 0 ? (
        <Empty what="Nothing was rejected." />
      ) : (
        <p className="overview-spark small quiet">
          <Sparkline
            label="rejected over time"
            values={overview.series.map(({ rejected }) => rejected)}
            last={formatAmount(String(overview.decisions.rejected))}
          />
          rejected
        </p>
      )}
      <ul className="overview-bars">
        {reasons.map(({ code, count }) => (
          <li key={code}>
            <Link href={toFlowsPath({ since, until, outcome: 'rejected', reason: code })}>
              <span className="mono">{code}</span>
              <span className="number">{formatAmount(String(count))}</span>
            </Link>
            <span className="overview-bar" style={{ width: `${(100 * count) / most}%` }} />
          </li>
        ))}
      </ul>
    </Card>
  )
}
