import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runSeed } from './storm.ts'

// In these, steps that were accepted are never sent, and flows with a request are erased.
test('I30: lists find what the ledger says, and nothing that the store has no more', async () => {
  for (const seed of [23, 30]) {
    const { violations } = await runSeed(seed)
    assert.deepEqual(violations, [], `seed ${seed}`)
  }
})
