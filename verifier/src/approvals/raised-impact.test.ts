/** What was judged as little may not run as much. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject, JsonValue } from 'rubicon-kernel'
import { isMoreThan } from './raised-impact.ts'

type Judged = Parameters<typeof isMoreThan>[0]
type Request = Parameters<typeof isMoreThan>[1]
type Trace = Parameters<typeof isMoreThan>[2]

const EXPOSURE = { measure: 'usd', threshold: '500', value: '10' }
const NO_PAST = { successes: 0, of_kind: 0, largest: null }

/** Of a trace only the hash was checked. */
function parseTrace(trace: JsonValue): Trace {
  return trace as unknown as Trace
}

function traceOf(usd: JsonValue): Trace {
  return parseTrace([{ stage: 'deadline' }, 7, { stage: 'preconditions', measures: { usd } }])
}

function isMore(
  usd: JsonValue,
  past: JsonObject | null = NO_PAST,
  change: JsonObject = {},
): boolean {
  const judged = { impact: 'LOW_IMPACT', exposure: EXPOSURE, ...change } as unknown as Judged
  return isMoreThan(judged, { past } as unknown as Request, traceOf(usd))
}

test('what was judged as little stays at or under its threshold, whichever sign it has', () => {
  assert.equal(isMore('500'), false)
  assert.equal(isMore('500.01'), true)
  assert.equal(isMore('-500'), false)
  assert.equal(isMore('-500.01'), true)
  assert.equal(isMore('0'), false)
})

test('what was judged as much, or has no measure, is not compared', () => {
  assert.equal(isMore('501', NO_PAST, { impact: 'HIGH_IMPACT' }), false)
  assert.equal(isMore('501', NO_PAST, { exposure: null }), false)
})

test('what cannot be compared is more', () => {
  assert.equal(isMore('much'), true)
  assert.equal(isMore(null), true)
  const exposure = { ...EXPOSURE, threshold: 'much' }
  assert.equal(isMore('1', NO_PAST, { exposure }), true)
  const judged = { impact: 'LOW_IMPACT', exposure: EXPOSURE } as unknown as Judged
  const request = { past: NO_PAST } as unknown as Request
  const traces: readonly JsonValue[] = [
    [],
    'a text',
    [{ stage: 'policy', measures: { usd: '1' } }],
    [{ stage: 'preconditions', measures: 'usd' }],
    [{ stage: 'preconditions', measures: { eur: '1' } }],
  ]
  for (const trace of traces)
    assert.equal(isMoreThan(judged, request, parseTrace(trace)), true, JSON.stringify(trace))
})

test('nor is it more than ten times what was done before of its kind', () => {
  const past = (largest: string | null, of_kind = 2): JsonObject => ({
    ...NO_PAST,
    of_kind,
    largest,
  })
  assert.equal(isMore('100', past('10')), false)
  assert.equal(isMore('100.01', past('10')), true)
  assert.equal(isMore('-100.01', past('-10')), true)
  assert.equal(isMore('100.01', past('10', 0)), false, 'of its kind nothing was done')
  assert.equal(isMore('100.01', past(null)), false)
  assert.equal(isMore('100.01', null), false)
})
