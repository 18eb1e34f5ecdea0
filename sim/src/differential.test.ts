import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { REASONS } from 'rubicon-kernel'
import { createBaseDraft, seal } from './differential/case.ts'
import {
  type DifferentialReport,
  listMissingCodes,
  MUTATIONS,
  runDifferentialProof,
} from './differential.ts'
import { interpret, type Opinion } from './reference/interpret.ts'

const hashOf = ({ by_code }: DifferentialReport): string =>
  createHash('sha256').update(JSON.stringify(by_code)).digest('hex')

test('the base case is staged by both', () => {
  const { verdict, code } = interpret(seal(createBaseDraft()), REASONS)
  assert.deepEqual({ verdict, code }, { verdict: 'staged', code: null })
})

test('the kernel and the reference agree on 2,000 cases', () => {
  const { cases, disagreements, by_code } = runDifferentialProof({ cases: 2_000, seed: 20_260_302 })
  assert.deepEqual(disagreements, [])
  assert.equal(
    Object.values(by_code).reduce((sum, count) => sum + count, 0),
    cases,
  )
  assert.ok(MUTATIONS >= 80)
})

test('one seed, one history, and another seed another', () => {
  const run = (seed: number): string => hashOf(runDifferentialProof({ cases: 500, seed }))
  assert.equal(run(7), run(7))
  assert.notEqual(run(7), run(8))
})

test('a second opinion that differs is reported with what made the case', () => {
  const { disagreements } = runDifferentialProof({
    cases: 50,
    seed: 1,
    opinion: () => ({ verdict: 'staged', code: null }),
  })
  const [first] = disagreements
  assert.ok(first !== undefined && first.changes.length > 0)
  assert.equal(first.reference, 'staged')
  assert.notEqual(first.kernel, 'staged')
})

test('a second opinion that lets dispatch later is a disagreement', () => {
  const opinion = (): Opinion => ({ verdict: 'staged', code: null, dispatch_before: 'later' })
  const { disagreements } = runDifferentialProof({ cases: 200, seed: 1, opinion })
  assert.ok(disagreements.some(({ kernel }) => kernel.startsWith('staged before ')))
})

test('a second opinion that throws is a disagreement, not an end', () => {
  const opinion = (): never => {
    throw new Error('bang')
  }
  const { disagreements } = runDifferentialProof({ cases: 1, seed: 1, opinion })
  assert.equal(disagreements[0]?.reference, 'threw: bang')
})

test('codes that were not reached are named, those of the engine apart', () => {
  const report = { cases: 1, by_code: { RBAC_DENIED: 1, 'suspended UNCERTAINTY': 1 } }
  const missing = listMissingCodes({ ...report, disagreements: [] })
  assert.ok(!missing.includes('RBAC_DENIED') && !missing.includes('UNCERTAINTY'))
  assert.ok(missing.includes('WRIT_SCOPE') && !missing.includes('FLOW_UNKNOWN'))
})
