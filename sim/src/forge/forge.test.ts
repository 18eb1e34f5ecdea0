import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FORGERIES, runForgeProof } from './main.ts'

test('one ledger of each forgery is found by all who must, and nothing in an honest one', async () => {
  const { cases, missed, honest, examples } = await runForgeProof({
    cases: FORGERIES.length,
    seed: 3,
  })
  assert.deepEqual(examples, [])
  assert.deepEqual([cases, missed], [FORGERIES.length, { rubicon: 0, oracle: 0, law: 0 }])
  assert.equal(honest.false_alarms, 0)
})
