/** Open plans: who holds which symbols, and until when. */
import type { ReactNode } from 'react'
import type { ArtifactPlan } from 'rubicon-agents/client'
import { AgentText } from '../../parts/agent-text.tsx'
import { Id } from '../../parts/id.tsx'
import { Json } from '../../parts/json.tsx'
import { Failed, Loading } from '../../parts/outcomes.tsx'
import { Status } from '../../parts/status.tsx'
import { Table } from '../../parts/table.tsx'
import { TimeLeft, When } from '../../parts/when.tsx'
import { toArtifactPath } from '../../url/artifact-path.ts'
import { Link } from '../../url/link.tsx'
import { toSymbolPath } from './symbol-rows.ts'
import type { Kept } from './use-artifact.ts'

export type PlanTableProps = {
  readonly plans: Kept<readonly ArtifactPlan[]>
  readonly trajectory: string
  /** Only plans for this artifact. */
  readonly name?: string
}

export function PlanTable({ plans, trajectory, name }: PlanTableProps): ReactNode {
  if (plans.state === 'loading') return <Loading what="plans" shape="lines" />
  if (plans.state === 'failed') return <Failed problem={plans.problem} again={plans.again} />
  const shown = plans.value.filter(
    ({ artifacts }) => name === undefined || artifacts.some((one) => one.name === name),
  )
  if (shown.length === 0)
    return <p className="quiet">No plan is open: nobody holds a part of it.</p>
  return (
    <Table
      className="plans"
      label="open plans"
      columns={['by', 'holds', 'until', 'what', 'planned']}
    >
      <tbody>
        {shown.map((plan) => (
          <PlanRow key={plan.plan} plan={plan} trajectory={trajectory} />
        ))}
      </tbody>
    </Table>
  )
}

function PlanRow({
  plan,
  trajectory,
}: {
  readonly plan: ArtifactPlan
  readonly trajectory: string
}): ReactNode {
  const { by, until, expired, symbols, summary, entry, what } = plan
  return (
    <tr>
      <td>
        <Link href={`/agents/${encodeURIComponent(by)}`}>{by}</Link>
      </td>
      <td>
        <ul>
          {symbols.map((symbol) => (
            <li key={symbol} className="mono wrap">
              <SymbolLink symbol={symbol} plan={plan} trajectory={trajectory} />
            </li>
          ))}
        </ul>
      </td>
      <td>
        {expired ? <Status standing="rejected" word="expired" /> : <TimeLeft until={until} />}
      </td>
      <td className="wrap">
        {what === 'changes' ? null : `${what}: `}
        <AgentText text={summary} />
        <Json value={plan} />
      </td>
      <td>
        <span className="row">
          <When at={entry.at} />
          {entry.dfid === null ? null : <Link href={`/flows/${entry.dfid}`}>flow</Link>}
          <Id value={plan.plan} />
        </span>
      </td>
    </tr>
  )
}

function SymbolLink({
  symbol,
  plan,
  trajectory,
}: {
  readonly symbol: string
  readonly plan: ArtifactPlan
  readonly trajectory: string
}): ReactNode {
  const text = <AgentText text={symbol} />
  const owner = plan.artifacts.find(({ name }) => toSymbolPath(symbol, name) !== null)
  if (owner === undefined) return text
  const path = toSymbolPath(symbol, owner.name) ?? ''
  return <Link href={toArtifactPath(owner.name, { trajectory, path })}>{text}</Link>
}
