/** A small picture of a monitor: its line, its threshold, and where it ends. */
import type { MonitorSeries } from 'rubicon-agents/client'

export type SmallChart = {
  /** Lines of the path; a gap where there is no value. */
  readonly lines: readonly string[]
  readonly last: { readonly x: number; readonly y: number } | null
  /** Of each bound, in the picture. */
  readonly bounds: readonly number[]
}

/** More are no longer told apart at this size. */
const POINTS = 60
const MARGIN = 5

export function drawSmallChart(
  { points, bounds }: Pick<MonitorSeries, 'points' | 'bounds'>,
  width: number,
  height: number,
): SmallChart {
  const values = points.slice(-POINTS).map(({ value }) => parseValue(value))
  const known = values.filter((value) => value !== null)
  const levels = [bounds.max, bounds.min].map(parseValue).filter((bound) => bound !== null)
  if (known.length === 0) return { lines: [], last: null, bounds: [] }
  const least = Math.min(0, ...known, ...levels)
  const most = Math.max(...known, ...levels)
  const toX = (index: number): number =>
    round(MARGIN + (values.length < 2 ? 1 : index / (values.length - 1)) * (width - 2 * MARGIN))
  const toY = (value: number): number =>
    round(MARGIN + (1 - (value - least) / (most - least || 1)) * (height - 2 * MARGIN))
  const index = values.findLastIndex((value) => value !== null)
  return {
    lines: listRuns(values).map((run) =>
      run.map(([at, value]) => `${toX(at)},${toY(value)}`).join(' '),
    ),
    last: { x: toX(index), y: toY(values[index] ?? 0) },
    bounds: levels.map(toY),
  }
}

type Point = readonly [index: number, value: number]

function listRuns(values: readonly (number | null)[]): readonly (readonly Point[])[] {
  const runs: Point[][] = []
  let isOpen = false
  for (const [index, value] of values.entries()) {
    if (value !== null) {
      if (!isOpen) runs.push([])
      runs.at(-1)?.push([index, value])
    }
    isOpen = value !== null
  }
  return runs
}

function parseValue(text: string | null): number | null {
  const value = text === null ? Number.NaN : Number(text)
  return Number.isFinite(value) ? value : null
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
