/** All monitors as small charts of one size, the nearest to its threshold first. */
import { type ReactNode, useRef, useState } from 'react'
import type { MonitorSeries, MonitorStatus } from 'rubicon-agents/client'
import { type Reply, useReply } from '../../api/use-reply.ts'
import { useKeys } from '../../keys/keys.tsx'
import { formatAmount } from '../../parts/amount.ts'
import { getMonitorStanding } from '../../parts/standing.ts'
import { Status } from '../../parts/status.tsx'
import { toVisibleText } from '../../parts/visible-text.ts'
import { Link } from '../../url/link.tsx'
import { toMonitorPath } from './monitor-path.ts'
import { computeNearness } from './nearness.ts'
import { drawSmallChart } from './small-chart.ts'
import './monitor-cards.css'

/** Each asks for its own line. */
const MOST = 24

export function MonitorCards({
  monitors,
}: {
  readonly monitors: readonly MonitorStatus[]
}): ReactNode {
  const list = useRef<HTMLUListElement>(null)
  const [shown, show] = useState(MOST)
  const walk = (by: 1 | -1): void => {
    const links = [...(list.current?.querySelectorAll<HTMLElement>('a.monitor-name') ?? [])]
    const at = links.findIndex((link) => link.matches(':focus'))
    const next = links[Math.min(links.length - 1, Math.max(0, at + by))]
    next?.focus()
    next?.scrollIntoView({ block: 'nearest' })
  }
  useKeys([
    { keys: 'j', does: 'next monitor', run: () => walk(1) },
    { keys: 'k', does: 'previous monitor', run: () => walk(-1) },
  ])
  const left = monitors.length - shown
  return (
    <>
      <ul className="monitor-cards" aria-label="monitors" ref={list}>
        {monitors.slice(0, shown).map((status) => (
          <li key={toMonitorPath(status)}>
            <MonitorCard status={status} />
          </li>
        ))}
      </ul>
      {left <= 0 ? null : (
        <p className="monitor-more">
          <button type="button" onClick={() => show(shown + MOST)}>
            Show {Math.min(left, MOST)} more of {left}
          </button>
        </p>
      )}
    </>
  )
}

function MonitorCard({ status }: { readonly status: MonitorStatus }): ReactNode {
  const { monitor, agent_id, state, verdict, sentence } = status
  const { threshold, side, share } = computeNearness(status)
  const { reply } = useReply(
    // What it says now is a reason to draw it anew.
    `small series ${monitor.name} ${agent_id} ${verdict.value} ${verdict.samples}`,
    (client, signal) =>
      client.getMonitorSeries({
        params: { name: monitor.name },
        query: { agent: agent_id },
        signal,
      }),
  )
  const { word, standing } = getMonitorStanding(state)
  return (
    <article className={`monitor-card monitor-card-${standing}`}>
      <header>
        <Link className="monitor-name" href={toMonitorPath(status)}>
          {toVisibleText(monitor.name)}
        </Link>
      </header>
      <p className="monitor-agent small">
        <span className="quiet">{toVisibleText(agent_id)}</span>
        <Status standing={standing} word={word} />
      </p>
      <p className="monitor-figures">
        <strong className="monitor-value">
          {verdict.value === null || state === 'NO_DATA' ? '–' : formatAmount(verdict.value)}
        </strong>
        <span className="quiet small">
          {threshold === null
            ? ''
            : `${side === 'max' ? 'of at most' : 'at least'} ${formatAmount(threshold)}`}
          {share === null ? '' : `, ${Math.round(share * 100)} %`}
        </span>
      </p>
      <Line reply={reply} isEmpty={state === 'NO_DATA'} />
      <p className="quiet small monitor-rule">
        {state === 'NO_DATA'
          ? `${verdict.samples} of ${monitor.min_samples} executions that it needs`
          : `over ${verdict.samples} executions`}
        ; trips at {toVisibleText(sentence)}
      </p>
    </article>
  )
}

const WIDTH = 280
const HEIGHT = 72

function Line({
  reply,
  isEmpty,
}: {
  readonly reply: Reply<MonitorSeries>
  readonly isEmpty: boolean
}): ReactNode {
  if (reply.state === 'failed')
    return <p className="monitor-line quiet small">Its line cannot be read.</p>
  if (reply.state === 'loading') return <div className="monitor-line" />
  const { lines, last, bounds } = drawSmallChart(reply.value, WIDTH, HEIGHT)
  if (isEmpty || last === null)
    return <p className="monitor-line quiet small">Too few executions for a line.</p>
  return (
    <svg
      className="monitor-line"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {bounds.map((y) => (
        <line key={y} className="monitor-bound" x1="0" x2={WIDTH} y1={y} y2={y} />
      ))}
      {lines.map((points) => (
        <polyline key={points} points={points} />
      ))}
      <line className="monitor-last" x1={last.x} x2={last.x} y1={last.y} y2={last.y} />
    </svg>
  )
}
