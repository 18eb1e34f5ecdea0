import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runTamperProof } from './main.ts'

test('a sample of tampered ledgers: nothing is missed by either verifier, and the place is named', async () => {
  const report = await runTamperProof({ entries: 50, others: 4, seed: 11 })
  assert.deepEqual(report.examples, [])
  assert.deepEqual(report.missed, { rubicon: 0, oracle: 0 })
  assert.equal(report.wrong_place, 0)
  assert.equal(report.false_alarms, 0)
  assert.equal(report.cases.byte, 50)
})
