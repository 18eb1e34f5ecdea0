/** Metrics in the text format of Prometheus: counters and durations as told, gauges as read. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Reading } from '../../ports/reading.ts'
import {
  COUNTERS,
  GAUGES,
  HISTOGRAMS,
  type LabelName,
  type Labels,
  type MetricSeries,
  type Telemetry,
} from '../../ports/telemetry.ts'
import { type LabelLists, ZEROS } from '../../ports/zero-series.ts'
import { LabelValues } from './label-values.ts'

export type Metrics = Pick<Telemetry, 'count' | 'observe'> & {
  /** What Prometheus scrapes, with gauges as they were just read. */
  render(readings: readonly Reading[]): Promise<string>
  close(): void
}

const MS: readonly number[] = [
  0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 10_000, 30_000,
]
const SECONDS: readonly number[] = MS.map((ms) => ms / 1_000)
const TOKENS: readonly number[] = [
  100, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 1_000_000,
]

const QUANTILES: Readonly<Record<string, number>> = { '0.5': 50, '0.99': 99 }

/** `agents`: of how many the id is told, before they are `other`. */
export function createMetrics(agents: number): Metrics {
  const registry = new Registry()
  const values = new LabelValues(agents)
  const counters = buildMetrics(COUNTERS, (name, { help, labels }) => {
    return new Counter({ name, help, labelNames: [...labels], registers: [registry] })
  })
  for (const [name, lists] of Object.entries(ZEROS))
    for (const zero of combineLabels(lists))
      counters.get(name)?.inc(values.limitLabels(Object.keys(lists) as LabelName[], zero), 0)
  const histograms = buildMetrics(HISTOGRAMS, (name, { help, labels }) => {
    const buckets = [...selectBuckets(name)]
    return new Histogram({ name, help, labelNames: [...labels], buckets, registers: [registry] })
  })
  const gauges = buildMetrics(GAUGES, (name, { help, labels }) => {
    return new Gauge({ name, help, labelNames: [...labels], registers: [registry] })
  })
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  return {
    count: (name, labels = {}, by = 1) =>
      counters.get(name)?.inc(values.limitLabels(COUNTERS[name].labels, labels), by),
    observe: (name, value, labels = {}) =>
      histograms.get(name)?.observe(values.limitLabels(HISTOGRAMS[name].labels, labels), value),
    async render(readings) {
      for (const gauge of gauges.values()) gauge.reset()
      for (const { name, value, labels = {} } of [...readings, ...readDelays(delay)])
        gauges.get(name)?.set(values.limitLabels(GAUGES[name].labels, labels), value)
      return registry.metrics()
    },
    close: () => void delay.disable(),
  }
}

function selectBuckets(name: string): readonly number[] {
  if (name === 'token_budget_burn') return TOKENS
  return name.endsWith('_seconds') ? SECONDS : MS
}

/** Every combination of the values of labels. */
function combineLabels(lists: LabelLists): readonly Labels[] {
  let found: readonly Labels[] = [{}]
  for (const [label, values = []] of Object.entries(lists))
    found = found.flatMap((one) => values.map((value) => ({ ...one, [label]: value })))
  return found
}

/** One for every name of a list. */
function buildMetrics<M>(
  series: Readonly<Record<string, MetricSeries>>,
  make: (name: string, of: MetricSeries) => M,
): ReadonlyMap<string, M> {
  return new Map(Object.entries(series).map(([name, of]) => [name, make(name, of)]))
}

/** Since the last time that somebody asked. */
function readDelays(delay: ReturnType<typeof monitorEventLoopDelay>): readonly Reading[] {
  const read = Object.entries(QUANTILES).map(([quantile, percentile]): Reading => {
    const value = delay.count === 0 ? 0 : delay.percentile(percentile) / 1e9
    return { name: 'rubicon_event_loop_delay_seconds', labels: { quantile }, value }
  })
  delay.reset()
  return read
}
