import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addCost, formatBudgetUnits, listExceeded, toBudgetUnits } from './budget.ts'

test('amounts are counted in the minor units of their measure', () => {
  assert.equal(toBudgetUnits('calls', '3'), 3n)
  assert.equal(toBudgetUnits('tokens', '10000.0'), 10000n)
  assert.equal(toBudgetUnits('usd', '0.50'), 500_000n)
  assert.equal(toBudgetUnits('kwh', '0.000001'), 1n)
})

test('what would be rounded, is negative or is no decimal is not an amount', () => {
  assert.equal(toBudgetUnits('calls', '0.5'), undefined)
  assert.equal(toBudgetUnits('wall_ms', '1.5'), undefined)
  assert.equal(toBudgetUnits('usd', '0.0000001'), undefined)
  assert.equal(toBudgetUnits('usd', '-1'), undefined)
  assert.equal(toBudgetUnits('usd', 'much'), undefined)
})

test('a budget covers exactly what it grants', () => {
  assert.deepEqual(listExceeded({ usd: '1' }, { usd: '0.7' }, { usd: '0.3' }), [])
  assert.deepEqual(listExceeded({ usd: '1' }, { usd: '0.7' }, { usd: '0.300001' }), ['usd'])
  assert.deepEqual(listExceeded({ usd: '1' }, {}, { usd: '2', calls: '0' }), ['usd'])
})

test('a measure that was not granted is zero', () => {
  assert.deepEqual(listExceeded({}, {}, { usd: '0.000001' }), ['usd'])
  assert.deepEqual(listExceeded({}, {}, { usd: '0' }), [])
  assert.deepEqual(listExceeded({}, {}, { constructor: '1' }), ['constructor'])
})

test('an amount that cannot be counted passes nothing', () => {
  assert.deepEqual(listExceeded({ usd: '1' }, {}, { usd: '-1' }), ['usd'])
  assert.deepEqual(listExceeded({ usd: 'all' }, {}, { usd: '1' }), ['usd'])
  assert.deepEqual(listExceeded({ usd: '1' }, { usd: '?' }, { usd: '0' }), ['usd'])
})

test('costs add up measure by measure', () => {
  assert.deepEqual(
    { ...addCost({ usd: '0.1', calls: '1' }, { usd: '0.2', tokens: '5' }) },
    {
      usd: '0.3',
      calls: '1',
      tokens: '5',
    },
  )
  assert.equal(addCost({ usd: '0.1' }, { usd: '-0.1' }), undefined)
  assert.equal(addCost({ calls: '0.1' }, {}), undefined)
})

test('spending in parts exceeds a budget exactly when spending at once does', () => {
  const units = fc.bigInt({ min: 0n, max: 100n })
  fc.assert(
    fc.property(units, units, units, (granted, used, cost) => {
      const usd = (amount: bigint): { usd: string } => ({ usd: formatBudgetUnits('usd', amount) })
      const over = listExceeded(usd(granted), usd(used), usd(cost)).length > 0
      assert.equal(over, used + cost > granted)
      const both = addCost(usd(used), usd(cost))
      assert.ok(both !== undefined)
      assert.equal(listExceeded(usd(granted), {}, both).length > 0, over)
    }),
  )
})
