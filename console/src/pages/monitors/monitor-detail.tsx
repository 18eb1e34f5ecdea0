/** One monitor of one agent: what it said over time, beside its bounds and what changed meanwhile. */
import type { ReactNode } from 'react'
import type { MonitorSeries } from 'rubicon-agents/client'
import { useBell } from '../../api/live.tsx'
import { useReply } from '../../api/use-reply.ts'
import { AgentText } from '../../parts/agent-text.tsx'
import { formatAmount } from '../../parts/amount.ts'
import { Json } from '../../parts/json.tsx'
import { Member, Members } from '../../parts/members.tsx'
import { Failed, Loading } from '../../parts/outcomes.tsx'
import { getMonitorStanding } from '../../parts/standing.ts'
import { Status } from '../../parts/status.tsx'
import { When } from '../../parts/when.tsx'
import { Link } from '../../url/link.tsx'
import { useQuery } from '../../url/location.ts'
import { FlowsBehind } from './flows-behind.tsx'
import { MonitorDeeds } from './monitor-deeds.tsx'
import { PointTable } from './point-table.tsx'
import { SeriesChart } from './series-chart.tsx'
import './monitor-cards.css'
import './monitor-detail.css'

export function MonitorDetail({
  name,
  agent,
  moved,
}: {
  readonly name: string
  readonly agent: string
  readonly moved: () => void
}): ReactNode {
  const { reply, again } = useReply(`series ${name} ${agent}`, (client, signal) =>
    client.getMonitorSeries({ params: { name }, query: { agent }, signal }),
  )
  useBell((event) => event.agent_id === agent && ['commit', 'settle'].includes(event.kind), again)
  if (reply.state === 'loading') return <Loading what="the monitor" shape="detail" />
  if (reply.state === 'failed') return <Failed problem={reply.problem} again={again} />
  const handleChanged = (): void => {
    again()
    moved()
  }
  return <SeriesView series={reply.value} changed={handleChanged} />
}

function SeriesView({
  series,
  changed,
}: {
  readonly series: MonitorSeries
  readonly changed: () => void
}): ReactNode {
  const { monitor: status, bounds, baseline, points, marks, complete, executions } = series
  const { monitor, verdict, state, sentence, agent_id, origin } = status
  const [chosen, choose] = useQuery('point')
  return (
    <article className="monitor-detail stack">
      <h2 className="row">
        {monitor.name} <Status {...getMonitorStanding(state)} />
      </h2>
      <p className="monitor-figures">
        <strong className="monitor-value">
          {verdict.value === null ? '–' : formatAmount(verdict.value)}
        </strong>
        <span className="quiet">{formatBounds(bounds)}</span>
      </p>
      <MonitorDeeds monitor={status} changed={changed} />
      <p>
        <Link href={`/agents/${encodeURIComponent(agent_id)}`}>{agent_id}</Link> is suspended at:{' '}
        {sentence}
      </p>
      <Members>
        <Member name="current value">
          {verdict.value === null ? 'none' : formatAmount(verdict.value)}, over {verdict.samples}{' '}
          executions
          {verdict.unreadable === 0 ? '' : `, ${verdict.unreadable} of them unreadable`}
        </Member>
        <Member name="needs">at least {monitor.min_samples} executions</Member>
        <Member name="baseline">
          {baseline === null
            ? 'none yet: the first 20 points with data make it'
            : `from ${baseline.low} to ${baseline.high}: its first ${baseline.points} points with data`}
        </Member>
        <Member name="defined in">{origin === 'contract' ? 'the contract' : 'a file'}</Member>
      </Members>
      {points.length === 0 ? (
        <p className="quiet">No execution that it watches has an outcome yet.</p>
      ) : (
        <SeriesChart series={series} chosen={chosen} choose={choose} />
      )}
      <p className="quiet small">
        {executions} executions evaluated{complete ? '' : '; there are older ones'}.
      </p>
      {chosen === '' ? null : <FlowsBehind name={monitor.name} agent={agent_id} leaf={chosen} />}
      <PointTable points={points} chosen={chosen} choose={choose} />
      <Marks marks={marks} />
      <Json value={series} />
    </article>
  )
}

function formatBounds({ max, min }: MonitorSeries['bounds']): string {
  const sides = [
    ...(max === null ? [] : [`at most ${formatAmount(max)}`]),
    ...(min === null ? [] : [`at least ${formatAmount(min)}`]),
  ]
  return sides.join(', ')
}

/** The vertical lines of the chart, in words. */
function Marks({ marks }: { readonly marks: MonitorSeries['marks'] }): ReactNode {
  if (marks.length === 0) return null
  return (
    <section className="stack">
      <h3>Changes in this period</h3>
      <ul>
        {marks.toReversed().map(({ kind, at, seq, leaf, label }) => (
          <li key={`${kind} ${seq ?? leaf}`} className="row">
            <span className="mono">{kind}</span>
            <When at={at} />
            <AgentText text={label} />
          </li>
        ))}
      </ul>
    </section>
  )
}
