import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FORGERIES, simForge } from './main.ts'

test('one ledger of each forgery: the law finds what breaks it, and nothing in an honest one', async () => {
  const { cases, missed, honest } = await simForge({ cases: FORGERIES.length, seed: 3 })
  assert.deepEqual([cases, missed.law], [FORGERIES.length, 0])
  assert.equal(honest.false_alarms, 0)
})
