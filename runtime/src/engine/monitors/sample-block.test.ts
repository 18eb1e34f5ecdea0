import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { LIMITS, type Sample } from 'rubicon-kernel'
import { packSamples, type SampleBlock, unpack } from './sample-block.ts'

const COLUMNS = ['measure:x', 'state:y']

const samples = (count: number, from = 0): readonly Sample[] =>
  Array.from({ length: count }, (_, i) => ({
    leaf: from + i * 3,
    at: 1_000_000 + (from + i) * 10,
    policy_kind: i % 2 === 0 ? 'OFFER' : 'MAIL',
    status: 'SUCCESS',
    values: { 'measure:x': String(i % 7) },
  }))

test('what is packed is unpacked again, whatever the values are', () => {
  const value = fc.option(fc.string({ maxLength: 8 }))
  const values = fc.record({ 'measure:x': value, 'state:y': value }, { requiredKeys: [] })
  const status = fc.constantFrom('SUCCESS', 'FAILED', 'ABANDONED')
  const sample = fc.record({
    leaf: fc.nat(),
    at: fc.nat(),
    policy_kind: fc.string({ maxLength: 8 }),
    status,
    values,
  })
  fc.assert(
    fc.property(fc.array(sample, { maxLength: 30 }), (all) => {
      const blocks = packSamples(null, COLUMNS, all as readonly Sample[])
      assert.deepEqual(
        blocks.flatMap(({ block }) => unpack(JSON.parse(JSON.stringify(block)) as SampleBlock)),
        all.map((one) => ({ ...one, values: { ...one.values } })),
      )
    }),
  )
})

test('a block is filled before another begins, and one that is full stays', () => {
  const rows = LIMITS.monitorBlockRows
  const [first] = packSamples(null, COLUMNS, samples(rows - 1))
  assert.ok(first !== undefined)
  const [filled, next] = packSamples(first.block, COLUMNS, samples(3, 9_000))
  assert.deepEqual([filled?.first, next?.first], [0, 9_003])
  assert.equal(unpack(filled?.block ?? first.block).length, rows)
  const [after, ...none] = packSamples(filled?.block ?? null, COLUMNS, samples(1, 20_000))
  assert.deepEqual([after?.first, none.length], [20_000, 0])
})

test('other columns begin another block', () => {
  const [first] = packSamples(null, COLUMNS, samples(3))
  const [next, ...none] = packSamples(first?.block ?? null, ['measure:x'], samples(1, 100))
  assert.deepEqual([next?.first, none.length, next?.block.columns], [100, 0, ['measure:x']])
})
