/**
 * The line of a monitor: baseline as a band, bounds as dashed lines, changes as vertical ones. It is a
 * picture; the table below it says the same.
 */
import { type ReactNode, useEffect, useRef } from 'react'
import type { MonitorSeries } from 'rubicon-agents/client'
import uPlot from 'uplot'
import { formatAbsolute } from '../../time/clock.ts'
import { useTime } from '../../time/time.tsx'
import 'uplot/dist/uPlot.min.css'
import { type ChartData, describeChart, toChartData } from './chart-data.ts'
import { formatChartTimes } from './chart-times.ts'

const HEIGHT = 260
const LETTER = 12

export function SeriesChart({
  series,
  chosen,
  choose,
}: {
  readonly series: MonitorSeries
  readonly chosen: string
  readonly choose: (leaf: string) => void
}): ReactNode {
  const { utc } = useTime()
  const place = useRef<HTMLDivElement>(null)
  const choosing = useRef(choose)
  choosing.current = choose
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const chart = draw(element, { data: toChartData(series), chosen, utc }, (leaf) =>
      choosing.current(leaf),
    )
    const resized = new ResizeObserver(() =>
      chart.setSize({ width: element.clientWidth, height: HEIGHT }),
    )
    resized.observe(element)
    return () => {
      resized.disconnect()
      chart.destroy()
    }
  }, [series, chosen, utc])
  return (
    <figure>
      <div className="series-chart" ref={place} role="img" aria-label={describeChart(series)} />
      <figcaption className="quiet small">
        Line: value. Band: baseline. Dashed: bounds. Letters mark changes: contract, revocation,
        policy, monitor, suspended, lifted. Click a point for the flows behind it.
      </figcaption>
    </figure>
  )
}

type Drawn = { readonly data: ChartData; readonly chosen: string; readonly utc: boolean }

function draw(
  element: HTMLElement,
  { data, chosen, utc }: Drawn,
  choose: (leaf: string) => void,
): uPlot {
  const colour = createColourReader(element)
  const axis = {
    stroke: colour('--ink-2'),
    font: `${LETTER}px ${getComputedStyle(element).fontFamily}`,
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { stroke: colour('--line'), width: 1 },
  }
  const toWall = (at: number): string => formatAbsolute(new Date(at * 1_000).toISOString(), utc)
  const times = {
    ...axis,
    values: (_chart: uPlot, marks: number[], _axis: number, _space: number, step: number) => [
      ...formatChartTimes(marks.map(toWall), step),
    ],
  }
  const bare = { points: { show: false }, stroke: 'transparent' }
  const options: uPlot.Options = {
    width: element.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    tzDate: (at) => (utc ? uPlot.tzDate(new Date(at * 1_000), 'UTC') : new Date(at * 1_000)),
    cursor: { drag: { x: true, y: false } },
    scales: {
      x: { range: (_chart, first, last) => computeXRange(data, first, last) },
      y: { range: (_chart, least, most) => computeYRange(data, least, most) },
    },
    axes: [times, { ...axis, size: 64 }],
    // What is drawn first lies below: the line over the band.
    series: [
      {},
      { ...bare, label: 'low' },
      { ...bare, label: 'high' },
      { stroke: colour('--running'), width: 2, spanGaps: false },
    ],
    bands: [{ series: [2, 1], fill: colour('--running-ground') }],
    hooks: {
      draw: [
        (chart) => {
          for (const bound of data.bounds) drawHorizontal(chart, bound, colour('--rejected'))
          for (const { at, kind } of data.marks) {
            drawVertical(chart, at, colour('--unknown'))
            drawLetter(chart, at, kind, colour('--unknown'))
          }
          const at = data.at[data.leaves.indexOf(Number(chosen))]
          if (chosen !== '' && at !== undefined) drawVertical(chart, at, colour('--focus'))
        },
      ],
      ready: [
        (chart) =>
          chart.over.addEventListener('click', () => {
            const leaf = data.leaves[chart.cursor.idx ?? -1]
            if (leaf !== undefined) choose(String(leaf))
          }),
      ],
    },
  }
  return new uPlot(options, [[...data.at], [...data.low], [...data.high], [...data.value]], element)
}

/** A change after the last execution is in the picture too, unless somebody looks closer. */
function computeXRange({ at, marks }: ChartData, first: number, last: number): [number, number] {
  if (first !== at[0] || last !== at.at(-1)) return [first, last]
  const latest = Math.max(last, ...marks.map((mark) => mark.at))
  return [first, latest > first ? latest : first + 1]
}

/** Bounds are in the picture, however far the line is from them. */
function computeYRange(
  { bounds }: ChartData,
  least: number | null,
  most: number | null,
): [number, number] {
  const all = [...bounds, ...(least === null ? [] : [least]), ...(most === null ? [] : [most])]
  const [low, high] = [Math.min(...all, 0), Math.max(...all)]
  const room = (high - low || 1) * 0.08
  return [low - room, high + room]
}

function drawHorizontal(chart: uPlot, value: number, colour: string): void {
  const { left, width } = chart.bbox
  const y = chart.valToPos(value, 'y', true)
  drawLine(chart, colour, [left, y], [left + width, y])
}

function drawVertical(chart: uPlot, at: number, colour: string): void {
  const { left, top, width, height } = chart.bbox
  const x = chart.valToPos(at, 'x', true)
  if (x >= left && x <= left + width) drawLine(chart, colour, [x, top], [x, top + height])
}

/** What it is, above its line: colour says only that something changed. */
function drawLetter(chart: uPlot, at: number, kind: string, colour: string): void {
  const { left, top, width } = chart.bbox
  const x = chart.valToPos(at, 'x', true)
  if (x < left || x > left + width) return
  const { ctx } = chart
  ctx.save()
  ctx.fillStyle = colour
  ctx.font = `${LETTER * devicePixelRatio}px system-ui, sans-serif`
  ctx.textAlign = 'center'
  ctx.textBaseline = 'bottom'
  ctx.fillText(kind.slice(0, 1).toUpperCase(), x, top)
  ctx.restore()
}

type Spot = readonly [x: number, y: number]

function drawLine({ ctx }: uPlot, colour: string, from: Spot, to: Spot): void {
  ctx.save()
  ctx.strokeStyle = colour
  ctx.setLineDash([6, 4])
  ctx.lineWidth = 1.5
  ctx.beginPath()
  ctx.moveTo(...from)
  ctx.lineTo(...to)
  ctx.stroke()
  ctx.restore()
}

/** Colours are the page's; a canvas must be told their values. */
function createColourReader(element: HTMLElement): (name: string) => string {
  const probe = document.createElement('span')
  element.append(probe)
  return (name) => {
    probe.style.color = `var(${name})`
    return getComputedStyle(probe).color
  }
}
