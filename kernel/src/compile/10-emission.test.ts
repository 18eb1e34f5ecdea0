import assert from 'node:assert/strict'
import { test } from 'node:test'
import { computeAddress } from '../canonical/address.ts'
import type { JsonValue } from '../canonical/json-value.ts'
import type { ExecutionIntent } from '../execution/intent.ts'
import { computeIntentDigest } from './10-emission.ts'
import { type CasePatch, NOW, sha256, withCase } from './case.test-support.ts'
import { staged, suspended } from './expect.test-support.ts'
import { COMPILER_VERSION } from './input.ts'

const intentOf = (patch: CasePatch): ExecutionIntent => staged(patch).intent

test('an intent addresses everything that it stands on', () => {
  const input = withCase({})
  const { intent, trace } = staged({})
  const facts = input.facts.value
  assert.equal(intent.facts_hash, input.facts.address)
  assert.equal(intent.proposal_hash, input.document.address)
  assert.equal(intent.contract_hash, facts.contract?.hash)
  assert.equal(intent.capability_hash, facts.capability?.hash)
  assert.equal(intent.writ_id, input.writs[0]?.id)
  assert.equal(intent.rules_hash, input.rules.hash)
  assert.equal(intent.compiler_version, COMPILER_VERSION)
  assert.equal(
    intent.policy_trace_hash,
    computeAddress('trace', trace as unknown as JsonValue, sha256),
  )
  assert.equal(intent.staged_at, NOW)
  assert.equal(intent.capability, 'BUY@1')
  assert.deepEqual({ ...intent.cost }, { calls: '1', usd: '0.01', volume: '2' })
})

test('an intent is frozen, and its id is the address of the rest', () => {
  const { intent_id, ...body } = intentOf({})
  assert.equal(intent_id, computeAddress('intent', body as unknown as JsonValue, sha256))
  assert.ok(Object.isFrozen(intentOf({})))
})

test('an intent is dispatched within the earliest of its ends', () => {
  assert.equal(intentOf({}).dispatch_before, '2026-03-02T10:00:30.000Z')
  assert.equal(
    intentOf({ proposal: { valid_until: null } }).dispatch_before,
    '2026-03-02T10:00:30.000Z',
  )
  const soon = '2026-03-02T10:00:05.000Z'
  assert.equal(intentOf({ proposal: { valid_until: soon } }).dispatch_before, soon)
  assert.equal(intentOf({ writ: { window: { expires_at: soon } } }).dispatch_before, soon)
})

test("an intent is not dispatched after the end of an operator's word that it was decided on", () => {
  const before = (...ends: readonly (string | null)[]): string => {
    const state = withCase({}).facts.value.state.map((fact, i) => {
      const until = ends[i] ?? null
      return until === null ? { ...fact } : { ...fact, label: 'operator', until }
    })
    return intentOf({ facts: { state: state as unknown as JsonValue } }).dispatch_before
  }
  assert.equal(before(null, '2026-03-02T11:00:00.000Z'), '2026-03-02T10:00:30.000Z')
  const [soon, sooner] = ['2026-03-02T10:00:05.000Z', '2026-03-02T10:00:00.001Z']
  assert.equal(before(soon), soon)
  assert.equal(before(soon, null, sooner), sooner)
})

test('the digest of an approval covers what will run and not when', () => {
  const digest = (patch: CasePatch): string => computeIntentDigest(intentOf(patch), sha256)
  assert.equal(digest({ facts: { attempt: 2, now: '2026-03-02T10:00:01.000Z' } }), digest({}))
  assert.notEqual(digest({ proposal: { params: { quantity: '3' } } }), digest({}))
  assert.notEqual(digest({ proposal: { execution_constraints: { a: 1 } } }), digest({}))
  assert.notEqual(digest({ contract: { version: '1.2.1' } }), digest({}))
  assert.notEqual(digest({ policy: 'permits' }), digest({}))
})

test('a suspended proposal carries the digest that its approval will bind', () => {
  const { intent_digest } = suspended({ policy: 'asks' }, 'APPROVAL_REQUIRED')
  assert.ok(intent_digest.startsWith('sha256:'))
})
