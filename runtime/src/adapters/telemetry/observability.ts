/** Metrics, traces and logs behind one port. */
import { COMPILER_VERSION } from 'rubicon-kernel'
import type { Clock } from '../../ports/clock.ts'
import type { Reading } from '../../ports/reading.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import { logText } from './logs.ts'
import { createFileSink, createOtlpSink, type TraceSink } from './trace-sinks.ts'
import { TraceExporter } from './traces.ts'

/** What is told of the work, and to whom. */
export type ObservabilityOptions = {
  /** By which lines and spans are dated. */
  readonly clock: Clock
  /** Gets a line of JSON at a time, without its end; without it there is no log. */
  readonly log?: (line: string) => void
  /** The address of a collector, `http://host:4318`; a path that starts with `file:`; or a sink. */
  readonly traces?: string | TraceSink
  /** What this deployment is called in its traces. */
  readonly service?: string
  /** Of how many agents the id stands in metrics; those that come later are `other`. */
  readonly agents?: number
}

/** Metrics, traces and logs of a runtime. */
export type Observability = {
  /** For `createRuntime({ telemetry })`. */
  readonly telemetry: Telemetry
  /** The text that Prometheus scrapes. */
  metrics(readings: readonly Reading[]): Promise<string>
  /** Sends the spans that are waiting. */
  flush(): Promise<void>
  /** Sends what is waiting, and ends. */
  close(): Promise<void>
}

const AGENTS = 200
const VERSION = COMPILER_VERSION.slice(COMPILER_VERSION.indexOf('/') + 1)

/** Makes metrics, traces and logs for a runtime. */
export async function createObservability(options: ObservabilityOptions): Promise<Observability> {
  const { clock, log, traces, service = 'rubicon', agents = AGENTS } = options
  // The library behind it is loaded by who needs it.
  const { createMetrics } = await import('./metrics.ts')
  const metrics = createMetrics(agents)
  const countDropped = (spans: number): void =>
    metrics.count('rubicon_telemetry_dropped_total', { signal: 'span' }, spans)
  const sink = typeof traces === 'string' ? createSink(traces) : traces
  const sender = { name: service, version: VERSION }
  const exporter =
    sink === undefined
      ? null
      : new TraceExporter({ sink, clock, service: sender, dropped: countDropped })
  return {
    telemetry: {
      enabled: true,
      count: metrics.count,
      observe: metrics.observe,
      span: (span) => exporter?.add(span),
      log: (line) => log?.(logText(line)),
    },
    metrics: (readings) => metrics.render(readings),
    flush: async () => exporter?.flush(),
    async close() {
      metrics.close()
      await exporter?.close()
    },
  }
}

function createSink(address: string): TraceSink {
  return address.startsWith('file:')
    ? createFileSink(address.slice('file:'.length))
    : createOtlpSink(address)
}
