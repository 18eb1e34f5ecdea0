import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonValue } from '../canonical/json-value.ts'
import { LIMITS } from '../limits.ts'
import { computeLeastGranted, listExhausted, parseUsage } from './usage.ts'

function read(reported: JsonValue | undefined): unknown {
  const used = parseUsage(reported)
  return used.ok ? { ...used.value } : used.error.code
}

test('amounts are read as decimals, from numbers and from text', () => {
  assert.deepEqual(read({ tokens: 1200, usd: '0.0120' }), { tokens: '1200', usd: '0.012' })
  assert.deepEqual(read({ tokens: 1, usd: 0, gpu_seconds: 1.5 }), {
    tokens: '1',
    gpu_seconds: '1.5',
  })
})

test('what cannot be counted is refused', () => {
  const wrong: readonly (JsonValue | undefined)[] = [
    undefined,
    null,
    'tokens',
    12,
    [],
    {},
    { tokens: 0, usd: '0.00' },
    { tokens: -1 },
    { tokens: '-1' },
    { tokens: Number.NaN },
    { tokens: Number.POSITIVE_INFINITY },
    { tokens: 1.5 },
    { tokens: '1,000' },
    { tokens: '1e3' },
    { tokens: '' },
    { tokens: null },
    { tokens: true },
    { tokens: [1] },
    { usd: '0.0000001' },
    { tokens: 1e300 },
    { 'a b': 1 },
    { '': 1 },
    JSON.parse('{"__proto__": 1}') as JsonValue,
    // The runtime counts calls itself.
    { calls: 1 },
  ]
  for (const reported of wrong) assert.equal(read(reported), 'USAGE_INVALID', String(reported))
})

test('nobody uses more than so much at once, of so many measures', () => {
  const most = LIMITS.usageUnits
  assert.deepEqual(read({ tokens: most }), { tokens: String(most) })
  assert.equal(read({ tokens: most + 1 }), 'USAGE_INVALID')
  assert.deepEqual(read({ usd: most / 1_000_000 }), { usd: String(most / 1_000_000) })
  const measures = (count: number): JsonValue =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`m${i}`, 1]))
  assert.notEqual(read(measures(LIMITS.usageMeasures)), 'USAGE_INVALID')
  assert.equal(read(measures(LIMITS.usageMeasures + 1)), 'USAGE_INVALID')
})

test('a budget is exhausted when more is used than granted, not when all of it is', () => {
  const granted = { tokens: '10000', usd: '0.50' }
  assert.deepEqual(listExhausted(granted, { tokens: '10000', usd: '0.5' }), [])
  assert.deepEqual(listExhausted(granted, { tokens: '10001', usd: '0.5' }), ['tokens'])
  assert.deepEqual(listExhausted(granted, { tokens: '1', usd: '0.500001' }), ['usd'])
  assert.deepEqual(listExhausted(granted, { gpu_seconds: '1000000' }), [])
})

test('an amount that cannot be counted is more than anything, and grants nothing', () => {
  assert.deepEqual(listExhausted({ tokens: '10' }, { tokens: 'few' }), ['tokens'])
  assert.deepEqual(listExhausted({ tokens: 'plenty' }, { tokens: '1' }), ['tokens'])
  assert.deepEqual({ ...computeLeastGranted([{ tokens: 'plenty' }], ['tokens']) }, { tokens: '0' })
})

test('of several budgets the least holds, and what none names has no bound', () => {
  const budgets = [{ tokens: '10000', usd: '1' }, { tokens: '100' }]
  const measures = ['tokens', 'usd', 'gpu_seconds', 'toString']
  assert.deepEqual({ ...computeLeastGranted(budgets, measures) }, { tokens: '100', usd: '1' })
  assert.deepEqual(
    { ...computeLeastGranted([...budgets].reverse(), ['tokens']) },
    { tokens: '100' },
  )
})
