import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runDeterminismProof } from './determinism.ts'

test('language, time zone, process and store make no difference to verdicts and snapshots', async () => {
  const report = await runDeterminismProof({ cases: 100, seed: 3 })
  assert.equal(report.differing, 0)
  assert.match(report.verdict_hash, /^[0-9a-f]{64}$/)
  assert.match(report.snapshot_hash, /^[0-9a-f]{64}$/)
  assert.ok(report.stores.length >= 2)
})
