import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runStreamBench } from './stream.ts'

test('a model that chooses at random writes only what passes the stages that its grammar covers', async () => {
  const report = await runStreamBench({ generations: 40, vocabulary: 2_000, seed: 7 })
  assert.equal(report.outside, null)
  assert.deepEqual([report.inside, report.vocabulary], [40, 2_000])
  assert.deepEqual(Object.keys(report.kinds).sort(), ['BUY', 'HOLD', 'PAY_OUT'])
})
