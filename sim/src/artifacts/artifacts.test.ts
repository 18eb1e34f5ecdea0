import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VIOLATIONS } from './all-violations.ts'
import { runArtifactsProof } from './main.ts'

test('batches are undone in any permitted order, and the first text is back', async () => {
  const report = await runArtifactsProof({ cases: 12, permutations: 0, violations: 0, seed: 40 })
  assert.deepEqual(report.failures, [])
  assert.equal(report.not_restored, 0)
  assert.ok(report.orders > 50 && report.deltas > 20, JSON.stringify(report))
})

test('a batch has the same bytes in any permutation', async () => {
  const report = await runArtifactsProof({ cases: 0, permutations: 8, violations: 0, seed: 3 })
  assert.deepEqual(report.failures, [])
  assert.equal(report.permutations, 32)
  assert.equal(report.hashes, 4)
})

test('every mistake of the table is refused with its code', async () => {
  const violations = VIOLATIONS.length
  const report = await runArtifactsProof({ cases: 0, permutations: 0, violations, seed: 5 })
  assert.deepEqual(report.failures, [])
  assert.deepEqual(report.violations, { seeded: violations, refused: violations })
})

test('one seed has one report, whatever the number of threads', async () => {
  const options = { cases: 4, permutations: 26, violations: 3, seed: 45 }
  const [one, two] = await Promise.all([
    runArtifactsProof({ ...options, threads: 1 }),
    runArtifactsProof({ ...options, threads: 2 }),
  ])
  assert.deepEqual(two, one)
  assert.deepEqual([one.batches, one.hashes], [4, 4])
})
