import type { ReactNode } from 'react'
import type { Overview } from 'rubicon-agents/client'
import { formatAmount } from '../../parts/amount.ts'
import { Card } from '../../parts/card.tsx'
import { Empty } from '../../parts/outcomes.tsx'
import { StackedColumns } from '../../parts/stacked-columns.tsx'
import { formatDuration } from '../../time/clock.ts'
import { useTime } from '../../time/time.tsx'
import { Link } from '../../url/link.tsx'
import { buildColumns, buildSeries } from './decision-columns.ts'
import { computeSpanBefore, type ShownRange, toFlowsPath } from './range.ts'

type Shown = { readonly overview: Overview; readonly range: ShownRange }

/** How many flows were decided, how, when, and how long that took. */
export function DecisionsCard({ overview, range }: Shown): ReactNode {
  const { utc } = useTime()
  return (
    <Card title="Decisions" aside={`in the last ${range.words}`} href="/flows" more="All flows">
      <div className="overview-decisions">
        <Headline overview={overview} range={range} />
        {overview.decisions.decided === 0 ? (
          <Empty what={`Nothing was decided in the last ${range.words}.`} />
        ) : (
          <StackedColumns
            label="decisions by outcome"
            series={buildSeries(overview)}
            columns={buildColumns(overview, utc)}
          />
        )}
      </div>
    </Card>
  )
}

function Headline({ overview, range }: Shown): ReactNode {
  const { since, until, decisions, took } = overview
  const { decided, before } = decisions
  const all = toFlowsPath({ since, until, outcome: 'decided' })
  const earlier = toFlowsPath({ ...computeSpanBefore(overview), outcome: 'decided' })
  return (
    <dl className="overview-figures">
      <div>
        <dt>flows decided</dt>
        <dd>
          <Link className="overview-figure" href={all}>
            {formatAmount(String(decided))}
          </Link>
        </dd>
      </div>
      <div>
        <dt>{range.words} before</dt>
        <dd>
          <Link href={earlier}>{formatAmount(String(before.decided))}</Link>{' '}
          <span className="quiet small">{describeChange(decided, before.decided)}</span>
        </dd>
      </div>
      {took.p50_ms === null || took.p99_ms === null ? null : (
        <div title="from the moment when the facts were read to the decision">
          <dt>time to decide</dt>
          <dd>
            <Link href={all}>{formatTook(took.p50_ms)}</Link>{' '}
            <span className="quiet small">
              median, <span className="overview-whole">99 % within {formatTook(took.p99_ms)}</span>
            </span>
          </dd>
        </div>
      )}
    </dl>
  )
}

/** Whole milliseconds are what the ledger knows. */
function formatTook(ms: number): string {
  return ms === 0 ? '< 1 ms' : formatDuration(ms)
}

/** `12 % more now`; nothing where there was nothing before. */
function describeChange(now: number, before: number): string {
  if (before === 0 || now === before) return ''
  const percent = Math.round((100 * Math.abs(now - before)) / before)
  return `${percent} % ${now > before ? 'more now' : 'fewer now'}`
}
