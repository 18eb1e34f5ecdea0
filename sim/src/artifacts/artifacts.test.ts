import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VIOLATIONS } from './all-violations.ts'
import { runArtifactsProof } from './main.ts'

test('batches are undone in any permitted order, and the first text is back', () => {
  const report = runArtifactsProof({ cases: 12, permutations: 0, violations: 0, seed: 40 })
  assert.deepEqual(report.failures, [])
  assert.equal(report.refused, 0)
  assert.ok(report.orders > 50 && report.deltas > 20, JSON.stringify(report))
})

test('a batch has the same bytes in any permutation', () => {
  const report = runArtifactsProof({ cases: 0, permutations: 8, violations: 0, seed: 3 })
  assert.deepEqual(report.failures, [])
  assert.equal(report.permutations, 24)
  assert.equal(report.hashes, 3)
})

test('every mistake of the table is refused with its code', () => {
  const violations = VIOLATIONS.length
  const report = runArtifactsProof({ cases: 0, permutations: 0, violations, seed: 5 })
  assert.deepEqual(report.failures, [])
  assert.deepEqual(report.violations, { seeded: violations, refused: violations })
})
