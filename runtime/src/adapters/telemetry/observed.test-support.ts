/** A runtime that somebody listens to, with everything that was heard. */
import assert from 'node:assert/strict'
import type { JsonObject } from 'rubicon-kernel'
import type { RuntimeOptions } from '../../compose.ts'
import { type FlowStage, flowStage } from '../../engine/flow/flow-stage.test-support.ts'
import { readings } from '../../engine/telemetry/readings.ts'
import type { Clock } from '../../ports/clock.ts'
import type { DeclaredSource } from '../../ports/fact-source.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import { systemClock } from '../system/clock.ts'
import { createObservability, type Observability } from './observability.ts'
import type { OtlpSpan } from './otlp.ts'
import { type Family, parsePrometheus } from './prometheus.test-support.ts'
import { createMemorySink } from './trace-sinks.ts'

export type TickingClock = Clock & { skip(ms: number): void }

/** Every look at it takes a quarter of a millisecond, so that nothing takes no time. */
export function tickingClock(): TickingClock {
  const start = Date.parse('2026-06-01T12:00:00.000Z')
  let passed = 0
  return {
    now: () => start + Math.floor(passed),
    monotonic: () => {
      passed += 0.25
      return passed
    },
    after: (ms) => systemClock.after(ms),
    skip(ms) {
      passed += ms
    },
  }
}

export type Observed = {
  readonly stage: FlowStage
  readonly clock: TickingClock
  /** Every line, parsed. */
  readonly lines: readonly JsonObject[]
  /** All that was heard, as it would leave the house. */
  text(): Promise<string>
  spans(): Promise<readonly OtlpSpan[]>
  metrics(): Promise<ReadonlyMap<string, Family>>
  /** Another process on the same store, with telemetry of its own. */
  restart(): Promise<void>
  close(): Promise<void>
}

export async function observed(options: RuntimeOptions = {}): Promise<Observed> {
  const clock = tickingClock()
  const sink = createMemorySink()
  const written: string[] = []
  const listen = (): Promise<Observability> =>
    createObservability({
      clock: systemClock,
      traces: sink,
      log: (line) => void written.push(line),
    })
  let heard = await listen()
  const others: Observability[] = []
  const telemetry: Telemetry = {
    enabled: true,
    count: (...told) => heard.telemetry.count(...told),
    observe: (...told) => heard.telemetry.observe(...told),
    span: (span) => heard.telemetry.span(span),
    log: (line) => heard.telemetry.log(line),
  }
  const stage = await flowStage({ clock, telemetry, ...options })
  const settled = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    for (const one of [...others, heard]) await one.flush()
  }
  const render = async (): Promise<string> => heard.metrics(await readings(stage.engine().context))
  return {
    stage,
    clock,
    get lines() {
      return written.map((line) => JSON.parse(line) as JsonObject)
    },
    async text() {
      await settled()
      return [await render(), ...written, JSON.stringify(sink.requests()), ...stage.told].join('\n')
    },
    async spans() {
      await settled()
      return latest(sink.spans())
    },
    metrics: async () => parsePrometheus(await render()),
    async restart() {
      await settled()
      others.push(heard)
      heard = await listen()
      await stage.restart()
    },
    async close() {
      await stage.close()
      for (const one of [...others, heard]) await one.close()
    },
  }
}

/** As a receiver shows them: of what was told twice under one id, the later. */
function latest(spans: readonly OtlpSpan[]): readonly OtlpSpan[] {
  const byId = new Map(spans.map((span) => [`${span.traceId} ${span.spanId}`, span]))
  return [...byId.values()]
}

/** A source that says the same of every path. */
export function feed(value: () => string): DeclaredSource {
  const observed_at = '2026-06-01T12:00:00.000Z'
  return {
    source_id: 'feed',
    label: 'operator',
    paths: ['*'],
    read: async (paths) =>
      paths.map((path) => ({ path, value: value(), observed_at, version: '1' })),
  }
}

/** An attribute of a span, whatever its type. */
export function attribute(span: OtlpSpan | undefined, key: string): string | number | undefined {
  const found = span?.attributes.find((one) => one.key === key)?.value
  if (found === undefined) return undefined
  if ('stringValue' in found) return found.stringValue
  return 'intValue' in found ? Number(found.intValue) : found.doubleValue
}

/** The spans of one flow make one tree: one root, and every parent is there. */
export function assertOneTrace(spans: readonly OtlpSpan[], dfid: string): readonly OtlpSpan[] {
  const own = spans.filter(({ traceId }) => traceId === dfid.replaceAll('-', ''))
  const ids = own.map(({ spanId }) => spanId)
  assert.equal(new Set(ids).size, ids.length, 'no two spans have one id')
  const roots = own.filter(({ parentSpanId }) => parentSpanId === undefined)
  assert.equal(roots.length, 1, 'one root')
  for (const { name, parentSpanId, startTimeUnixNano, endTimeUnixNano } of own) {
    assert.ok(parentSpanId === undefined || ids.includes(parentSpanId), `${name} hangs nowhere`)
    assert.ok(BigInt(endTimeUnixNano) >= BigInt(startTimeUnixNano), `${name} ends before it began`)
  }
  return own
}
