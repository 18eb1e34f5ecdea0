/** Decisions over time as columns: each leads to the flows that were decided in its step. */
import type { Overview } from 'rubicon-agents/client'
import { formatDay } from '../../parts/axis-labels.ts'
import type { ColumnSeries, StackedColumn } from '../../parts/stacked-columns.tsx'
import { formatAbsolute } from '../../time/clock.ts'
import { toFlowsPath } from './range.ts'

export const OUTCOMES = [
  { outcome: 'accepted', standing: 'allowed', word: 'accepted' },
  { outcome: 'rejected', standing: 'rejected', word: 'rejected' },
  { outcome: 'escalated', standing: 'waiting', word: 'asked a person' },
] as const

export function buildSeries({ since, until, decisions }: Overview): readonly ColumnSeries[] {
  return OUTCOMES.map(({ outcome, standing, word }) => ({
    standing,
    word,
    total: decisions[outcome],
    href: toFlowsPath({ since, until, outcome }),
  }))
}

export function buildColumns(
  { since, until, step_ms, series }: Overview,
  utc: boolean,
): readonly StackedColumn[] {
  const isWithinDay = Date.parse(until) - Date.parse(since) <= DAY_MS
  return series.map(({ at, decided, ...counts }) => {
    const end = new Date(Date.parse(at) + step_ms).toISOString()
    return {
      label: formatStep(at, utc, isWithinDay),
      wall: formatAbsolute(at, utc).slice(0, 16),
      href: decided === 0 ? null : toFlowsPath({ since: at, until: end, outcome: 'decided' }),
      counts: OUTCOMES.map(({ outcome }) => counts[outcome]),
    }
  })
}

const DAY_MS = 86_400_000

/** `14:15`; in a longer span `3 Nov 12:00`. */
function formatStep(at: string, utc: boolean, isWithinDay: boolean): string {
  const text = formatAbsolute(at, utc)
  const time = text.slice(11, 16)
  if (isWithinDay) return time
  return `${formatDay(text)} ${time}`
}
