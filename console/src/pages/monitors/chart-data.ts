/** What the chart draws, as columns of numbers. Values are exact texts; drawing may round them. */
import type { MonitorSeries } from 'rubicon-agents/client'

export type ChartData = {
  /** Seconds. */
  readonly at: readonly number[]
  readonly value: readonly (number | null)[]
  readonly low: readonly (number | null)[]
  readonly high: readonly (number | null)[]
  readonly leaves: readonly number[]
  readonly bounds: readonly number[]
  readonly marks: readonly { readonly at: number; readonly kind: string }[]
}

export function toChartData(series: MonitorSeries): ChartData {
  const { points, baseline, bounds, marks } = series
  const repeatLevel = (text: string | undefined): readonly (number | null)[] =>
    points.map(() => (text === undefined ? null : Number(text)))
  return {
    at: ensureRising(points.map(({ at }) => Date.parse(at) / 1_000)),
    value: points.map(({ value }) => (value === null ? null : Number(value))),
    low: repeatLevel(baseline?.low),
    high: repeatLevel(baseline?.high),
    leaves: points.map(({ leaf }) => leaf),
    bounds: [bounds.max, bounds.min].flatMap((bound) => (bound === null ? [] : [Number(bound)])),
    marks: marks.map(({ at, kind }) => ({ at: Date.parse(at) / 1_000, kind })),
  }
}

/** Several executions may settle at one moment: each keeps a place of its own. */
function ensureRising(times: readonly number[]): readonly number[] {
  const STEP = 0.001
  let last = Number.NEGATIVE_INFINITY
  return times.map((time) => {
    last = time > last ? time : last + STEP
    return last
  })
}

/** What the picture shows, for whoever does not see it. */
export function describeChart({ points, bounds, baseline, marks }: MonitorSeries): string {
  const last = points.at(-1)
  const said =
    last === undefined
      ? 'no points'
      : `${points.length} points, the last ${last.value ?? 'without a value'} over ${last.samples} executions`
  const sides = [
    ...(bounds.max === null ? [] : [`upper bound ${bounds.max}`]),
    ...(bounds.min === null ? [] : [`lower bound ${bounds.min}`]),
    ...(baseline === null ? [] : [`baseline from ${baseline.low} to ${baseline.high}`]),
    `${marks.length} marks`,
  ]
  return [said, ...sides].join('; ')
}
