import type { ReactNode } from 'react'
import type { NearMonitor } from 'rubicon-agents/client'
import { formatAmount } from '../../parts/amount.ts'
import { BarMeter } from '../../parts/bar-meter.tsx'
import { Card } from '../../parts/card.tsx'
import { Empty } from '../../parts/outcomes.tsx'
import { getMonitorStanding } from '../../parts/standing.ts'
import { Status } from '../../parts/status.tsx'
import { Link } from '../../url/link.tsx'
import { useKeptOrder } from './keep-order.ts'

const SHOWN = 6

/** Monitors, those nearest to their threshold first. */
export function MonitorsCard({
  monitors,
}: {
  readonly monitors: readonly NearMonitor[]
}): ReactNode {
  const kept = useKeptOrder(monitors, toMonitorPath)
  return (
    <Card title="Monitors" href="/monitors" more="All monitors">
      {kept.length === 0 ? <Empty what="Nothing is watched by a monitor." /> : null}
      <ul className="overview-meters">
        {kept.slice(0, SHOWN).map((monitor) => (
          <li key={toMonitorPath(monitor)}>
            <MonitorLine monitor={monitor} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function toMonitorPath({ id, agent }: NearMonitor): string {
  return `/monitors/${encodeURIComponent(id)}?agent=${encodeURIComponent(agent)}`
}

function MonitorLine({ monitor }: { readonly monitor: NearMonitor }): ReactNode {
  const { id, agent, state, value, threshold, share } = monitor
  return (
    <>
      <Link className="overview-what" href={toMonitorPath(monitor)}>
        {id}
      </Link>
      <span className="overview-side">
        <Status {...getMonitorStanding(state)} />
      </span>
      {share === null ? null : <BarMeter label={null} used={Math.min(100, share * 100)} />}
      <span className="quiet small">
        {agent}
        {value === null ? null : `, at ${formatAmount(value)}`}
        {threshold === null ? null : ` of ${formatAmount(threshold)}`}
      </span>
    </>
  )
}
