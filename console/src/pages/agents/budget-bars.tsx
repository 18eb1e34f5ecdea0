/** What an agent may still use, as bars: spent, reserved, and what is left of the limit. */
import type { ReactNode } from 'react'
import type { AgentBudget, AgentDetail } from 'rubicon-agents/client'
import { AgentText } from '../../parts/agent-text.tsx'
import { BarMeter } from '../../parts/bar-meter.tsx'
import { shortenId } from '../../parts/id.tsx'
import { Table } from '../../parts/table.tsx'
import { formatMeasured } from '../../parts/unit.ts'
import { When } from '../../parts/when.tsx'
import { Link } from '../../url/link.tsx'
import { share } from './share.ts'
import './budget-bars.css'

export function BudgetBars({
  budgets,
  flows,
}: {
  readonly budgets: readonly AgentBudget[]
  /** Those that have a budget of their own are called by what they are about. */
  readonly flows: AgentDetail['open_flows']
}): ReactNode {
  const triggers = new Map(flows.map(({ dfid, trigger }) => [dfid, trigger]))
  const shown = budgets.filter((budget) => budget.dfid === null || isUsed(budget))
  const unused = new Set(
    budgets.filter((budget) => !shown.includes(budget)).map(({ dfid }) => dfid),
  ).size
  if (budgets.length === 0) return null
  return (
    <section className="stack">
      <h3>Budgets</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys */}
      <div className="budgets" tabIndex={0}>
        <Table
          columns={[
            'for',
            'measure',
            { name: 'used', is: 'bare' },
            { name: 'spent', is: 'number' },
            { name: 'reserved', is: 'number' },
            { name: 'limit', is: 'number' },
            'resets',
          ]}
        >
          <tbody>
            {shown.toSorted(compareUse).map((budget) => (
              <BudgetRow
                key={`${budget.of} ${budget.dfid} ${budget.measure}`}
                budget={budget}
                trigger={triggers.get(budget.dfid ?? '')}
              />
            ))}
          </tbody>
        </Table>
      </div>
      {unused === 0 ? null : (
        <p className="quiet small">
          {unused === 1
            ? 'One open flow has a budget of which it has used nothing yet.'
            : `${unused} open flows have budgets of which they have used nothing yet.`}
        </p>
      )}
    </section>
  )
}

/** Every flow opens with budgets: a line each would hide those that matter. */
function isUsed({ spent, reserved }: AgentBudget): boolean {
  return Number(spent) !== 0 || Number(reserved) !== 0
}

/** What is closest to its limit matters first. */
function compareUse(a: AgentBudget, b: AgentBudget): number {
  return (
    share(b.spent, b.limit) +
    share(b.reserved, b.limit) -
    share(a.spent, a.limit) -
    share(a.reserved, a.limit)
  )
}

const BUDGET_OF = { agent: 'this hour', window: 'all flows' }

function BudgetRow({
  budget,
  trigger,
}: {
  readonly budget: AgentBudget
  /** Undefined: of no flow, or of one that is not known. */
  readonly trigger: string | undefined
}): ReactNode {
  const { of, dfid, measure, spent, reserved, limit, resets_at } = budget
  return (
    <tr>
      <td>
        {dfid === null ? (
          BUDGET_OF[of === 'window' ? 'window' : 'agent']
        ) : (
          <Link href={`/flows/${dfid}`} title={dfid}>
            {trigger === undefined ? <span className="mono">{shortenId(dfid)}</span> : null}
            {trigger === undefined ? null : <AgentText text={trigger} />}
          </Link>
        )}
      </td>
      <td>{measure}</td>
      <td>
        <BarMeter label={null} used={share(spent, limit)} reserved={share(reserved, limit)} />
      </td>
      <td className="number">{formatMeasured(spent, measure)}</td>
      <td className="number">{formatMeasured(reserved, measure)}</td>
      <td className="number">{formatMeasured(limit, measure)}</td>
      <td>{resets_at === null ? <NoReset budget={budget} /> : <When at={resets_at} />}</td>
    </tr>
  )
}

/** What is of flows does not come back; an hour in which nothing was spent has not begun. */
function NoReset({ budget }: { readonly budget: AgentBudget }): ReactNode {
  const isHour = budget.dfid === null && budget.of !== 'window'
  return <span className="quiet">{isHour ? 'nothing spent' : 'never'}</span>
}
