import type { ReactNode } from 'react'
import type { AgentAtRisk, Overview } from 'rubicon-agents/client'
import { Card } from '../../parts/card.tsx'
import { Empty } from '../../parts/outcomes.tsx'
import { Status, type StatusProps } from '../../parts/status.tsx'
import { toVisibleText } from '../../parts/visible-text.ts'
import { When } from '../../parts/when.tsx'
import { Link } from '../../url/link.tsx'
import { BudgetsLookedAt } from './budgets-looked-at.tsx'
import { useKeptOrder } from './keep-order.ts'

const WHY: Readonly<Record<AgentAtRisk['why'], StatusProps>> = {
  suspended: { standing: 'rejected', word: 'suspended' },
  near_limit: { standing: 'waiting', word: 'near a limit' },
  monitor: { standing: 'waiting', word: 'monitor' },
  silent: { standing: 'unknown', word: 'silent' },
}

const SHOWN = 8

/** Agents that are suspended, near a limit, near a threshold, or silent for longer than usual. */
export function RiskCard({ overview }: { readonly overview: Overview }): ReactNode {
  const { at_risk, agents } = overview
  const kept = useKeptOrder(at_risk, ({ agent, why, detail }) =>
    why === 'near_limit' ? `${agent} ${why} ${detail.split(' ')[0]}` : `${agent} ${why} ${detail}`,
  )
  const known = at_risk.filter(({ why }) => why === 'suspended').length
  const left = kept.length + agents.suspended - known - SHOWN
  return (
    <Card title="Agents at risk" href="/agents" more="All agents">
      {kept.length === 0 ? (
        <Empty what="No agent is suspended, silent or near a limit." />
      ) : (
        <ul className="overview-lines" data-lines="risk">
          {kept.slice(0, SHOWN).map(({ agent, why, detail, since }) => (
            <li key={`${agent} ${why} ${detail}`}>
              <Link className="overview-what" href={`/agents/${encodeURIComponent(agent)}`}>
                {agent}
              </Link>
              <span className="overview-side">
                <Status {...(WHY[why] ?? { standing: 'unknown', word: why })} />
              </span>
              <span className="quiet small wrap">
                {toVisibleText(detail)}
                {since === null ? null : (
                  <>
                    {detail === '' ? '' : ', '}since <When at={since} />
                  </>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
      {left > 0 ? (
        <p className="small">
          <Link href="/agents">{left} more</Link>
        </p>
      ) : null}
      <BudgetsLookedAt agents={agents} />
    </Card>
  )
}
