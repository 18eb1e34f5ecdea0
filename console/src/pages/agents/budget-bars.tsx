/** What an agent may still use, as bars: spent, reserved, and what is left of the limit. */
import type { ReactNode } from 'react'
import type { AgentBudget } from 'rubicon-agents/client'
import { BarMeter } from '../../parts/bar-meter.tsx'
import { Id } from '../../parts/id.tsx'
import { TableHead } from '../../parts/table-head.tsx'
import { When } from '../../parts/when.tsx'
import { share } from './share.ts'
import './budget-bars.css'

export function BudgetBars({ budgets }: { readonly budgets: readonly AgentBudget[] }): ReactNode {
  if (budgets.length === 0) return null
  return (
    <section className="stack">
      <h3>Budgets</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys */}
      <div className="budgets" tabIndex={0}>
        <table>
          <TableHead
            columns={[
              'for',
              'measure',
              'used',
              { name: 'spent', is: 'number' },
              { name: 'reserved', is: 'number' },
              { name: 'limit', is: 'number' },
              'resets',
            ]}
          />
          <tbody>
            {budgets.toSorted(compareUse).map((budget) => (
              <BudgetRow key={`${budget.of} ${budget.dfid} ${budget.measure}`} budget={budget} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
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

function BudgetRow({ budget }: { readonly budget: AgentBudget }): ReactNode {
  const { of, dfid, measure, spent, reserved, limit, resets_at } = budget
  return (
    <tr>
      <td>
        {dfid === null ? (
          BUDGET_OF[of === 'window' ? 'window' : 'agent']
        ) : (
          <Id value={dfid} href={`/flows/${dfid}`} />
        )}
      </td>
      <td>{measure}</td>
      <td>
        <BarMeter label={null} used={share(spent, limit)} reserved={share(reserved, limit)} />
      </td>
      <td className="number">{spent}</td>
      <td className="number">{reserved}</td>
      <td className="number">{limit}</td>
      <td>{resets_at === null ? <span className="quiet">never</span> : <When at={resets_at} />}</td>
    </tr>
  )
}
