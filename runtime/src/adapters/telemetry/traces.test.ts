import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { handClock } from '../../engine/flow/hand-clock.test-support.ts'
import type { Span, SpanRef } from '../../ports/telemetry.ts'
import type { OtlpRequest, OtlpSpan } from './otlp.ts'
import { computeSpanId, traceId } from './span-id.ts'
import { createFileSink, createMemorySink, createOtlpSink, type TraceSink } from './trace-sinks.ts'
import { TraceExporter } from './traces.ts'

const DFID = '019c0b5e-7c00-7000-8000-000000000001'
const PARENT = '019c0b5e-7c00-7000-8000-000000000002'
const FLOW: SpanRef = { dfid: DFID, name: 'flow', ordinal: '' }

const proposal = (ordinal: string): Span => ({
  ref: { dfid: DFID, name: 'proposal', ordinal },
  parent: FLOW,
  start: 1_780_000_000_000.25,
  end: 1_780_000_000_001.5,
  attributes: { 'rubicon.attempt': 1, 'rubicon.outcome': 'REJECTED' },
  failed: true,
})

function exporter(sink: TraceSink) {
  const clock = handClock()
  let dropped = 0
  const count = (spans: number): void => {
    dropped += spans
  }
  const made = new TraceExporter({
    sink,
    clock,
    service: { name: 'rubicon', version: '1.2.3' },
    dropped: count,
  })
  return { made, clock, dropped: () => dropped }
}

function spansOf({ resourceSpans }: OtlpRequest): readonly OtlpSpan[] {
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
}

test('a trace has the id of its flow, and a span the id of what it is about, in every process', () => {
  assert.equal(traceId(DFID), '019c0b5e7c0070008000000000000001')
  assert.equal(computeSpanId(FLOW), '1b89c1f190c7ed99')
  assert.notEqual(computeSpanId(FLOW), computeSpanId({ ...FLOW, dfid: PARENT }))
  assert.notEqual(computeSpanId(FLOW), computeSpanId({ ...FLOW, ordinal: '1' }))
})

test('a collector on loopback gets spans it can read', async () => {
  const got: { readonly request: OtlpRequest; readonly headers: IncomingMessage['headers'] }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString()
    })
    request.on('end', () => {
      assert.deepEqual([request.method, request.url], ['POST', '/base/v1/traces'])
      got.push({ request: JSON.parse(body) as OtlpRequest, headers: request.headers })
      response.end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const { made, dropped } = exporter(createOtlpSink(`http://jane:p%40ss@127.0.0.1:${port}/base/`))
  const root: Span = {
    ...proposal(''),
    ref: FLOW,
    parent: null,
    failed: false,
    links: [{ ...FLOW, dfid: PARENT }],
    attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.id': 'trader' },
  }
  made.add(proposal('1'))
  made.add(root)
  await made.close()
  await new Promise((resolve) => server.close(resolve))

  assert.equal(dropped(), 0)
  assert.equal(got.length, 1)
  const [{ request, headers } = assert.fail()] = got
  assert.equal(headers['content-type'], 'application/json')
  assert.equal(headers.authorization, `Basic ${btoa('jane:p@ss')}`)
  const [first, second] = spansOf(request)
  assert.deepEqual(first, {
    traceId: traceId(DFID),
    spanId: computeSpanId({ dfid: DFID, name: 'proposal', ordinal: '1' }),
    parentSpanId: computeSpanId(FLOW),
    name: 'proposal',
    kind: 1,
    startTimeUnixNano: '1780000000000250000',
    endTimeUnixNano: '1780000000001500000',
    attributes: [
      { key: 'rubicon.attempt', value: { intValue: '1' } },
      { key: 'rubicon.outcome', value: { stringValue: 'REJECTED' } },
    ],
    links: [],
    status: { code: 2 },
  })
  assert.equal(second?.name, 'invoke_agent trader')
  assert.equal(second?.parentSpanId, undefined)
  const parent = { traceId: traceId(PARENT), spanId: computeSpanId({ ...FLOW, dfid: PARENT }) }
  assert.deepEqual(second?.links, [parent])
})

test('spans are sent a second later, or as soon as a batch is full', async () => {
  const sink = createMemorySink()
  const { made, clock } = exporter(sink)
  made.add(proposal('1'))
  await clock.advance(999)
  assert.equal(sink.spans().length, 0)
  await clock.advance(1)
  assert.equal(sink.spans().length, 1)
  for (let n = 0; n < 511; n += 1) made.add(proposal(`a${n}`))
  await clock.advance(0)
  assert.equal(sink.spans().length, 1)
  made.add(proposal('full'))
  await clock.advance(0)
  assert.equal(sink.spans().length, 513)
})

test('a collector that hangs fills the queue and nothing else; what finds no room is counted', async () => {
  let release = (_: 'sent'): void => {}
  const hanging: TraceSink = {
    send: () =>
      new Promise((resolve) => {
        release = resolve
      }),
  }
  const { made, clock, dropped } = exporter(hanging)
  for (let n = 0; n < 8_192; n += 1) made.add(proposal(`${n}`))
  await clock.advance(1_000)
  assert.equal(dropped(), 0)
  for (let n = 0; n < 512; n += 1) made.add(proposal(`b${n}`))
  assert.equal(dropped(), 0, 'one batch had left the queue')
  made.add(proposal('last'))
  assert.equal(dropped(), 1)
  release('sent')
})

test('a collector that fails is tried three times, and one that refuses once', async () => {
  for (const [outcome, expected] of [
    ['later', 3],
    ['never', 1],
  ] as const) {
    let tried = 0
    const failing: TraceSink = {
      send: async () => {
        tried += 1
        return outcome
      },
    }
    const { made, clock, dropped } = exporter(failing)
    made.add(proposal('1'))
    for (let second = 0; second < 10; second += 1) await clock.advance(1_000)
    assert.deepEqual([tried, dropped()], [expected, 1], outcome)
  }
})

test('nobody to connect to is a failure like any other', async () => {
  const { made, dropped } = exporter(createOtlpSink('http://127.0.0.1:1'))
  made.add(proposal('1'))
  await made.close()
  assert.equal(dropped(), 1)
  made.add(proposal('2'))
  assert.equal(dropped(), 2, 'after the end nothing is taken')
})

test('what is no flow is no trace', () => {
  const { made, dropped } = exporter(createMemorySink())
  made.add({ ...proposal('1'), ref: { ...FLOW, dfid: 'jane@example.com' } })
  assert.equal(dropped(), 1)
})

test('a file holds one request a line', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-traces-'))
  const path = join(folder, 'traces.jsonl')
  const { made } = exporter(createFileSink(path))
  made.add(proposal('1'))
  await made.flush()
  made.add(proposal('2'))
  await made.flush()
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  const ids = lines.flatMap((line) => spansOf(JSON.parse(line) as OtlpRequest)).map((s) => s.spanId)
  assert.deepEqual(ids, [computeSpanId(proposal('1').ref), computeSpanId(proposal('2').ref)])
  rmSync(folder, { recursive: true })
})
