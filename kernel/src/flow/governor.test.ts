import assert from 'node:assert/strict'
import { test } from 'node:test'
import { baseCase } from '../compile/case.test-support.ts'
import { LIMITS } from '../limits.ts'
import { govern, isAuthorityLost } from './governor.ts'

const after = (rejections: number, transient_rejections = 0) => ({
  rejections,
  transient_rejections,
})

test('the third final rejection ends the flow', () => {
  assert.deepEqual(govern(after(1), 'RBAC_DENIED'), { ...after(2), ended: null })
  const third = govern(after(2), 'RBAC_DENIED')
  assert.deepEqual(third, { ...after(3), ended: 'REASONING_EXHAUSTION' })
})

test('a contract may allow more or fewer', () => {
  assert.equal(govern(after(0), 'RBAC_DENIED', 1).ended, 'REASONING_EXHAUSTION')
  assert.equal(govern(after(2), 'RBAC_DENIED', 4).ended, null)
})

test('a transient refusal costs no retry and has its own, wider limit', () => {
  const last = LIMITS.transientRetries - 1
  assert.deepEqual(govern(after(2, last - 1), 'STEP_IN_FLIGHT'), { ...after(2, last), ended: null })
  const ended = govern(after(2, last), 'STEP_IN_FLIGHT')
  assert.deepEqual(ended, { ...after(2, last + 1), ended: 'CONTENTION_EXHAUSTION' })
})

test('a flow whose authority is revoked ends at the first refusal, and it is counted', () => {
  for (const code of ['AGENT_RETIRED', 'CONTRACT_REVOKED', 'WRIT_REVOKED'] as const)
    assert.deepEqual(govern(after(0), code), { ...after(1), ended: 'AUTHORITY_REVOKED' })
  assert.equal(govern(after(0), 'AGENT_SUSPENDED').ended, null)
})

test('a story that does not fit the action ends the flow at once; lost authority comes first', () => {
  const ended = govern(after(0), 'SEMANTIC_MISMATCH', 3, false)
  assert.deepEqual(ended, { ...after(1), ended: 'SEMANTIC_MISMATCH' })
  assert.equal(govern(after(0), 'SEMANTIC_MISMATCH', 3, true).ended, 'AUTHORITY_REVOKED')
})

test('whoever looked knows better than the code', () => {
  assert.equal(govern(after(0), 'WRIT_REVOKED', 3, false).ended, null)
  assert.equal(govern(after(0), 'AGENT_SUSPENDED', 3, true).ended, 'AUTHORITY_REVOKED')
  assert.deepEqual(govern(after(0, 3), 'STATE_UNAVAILABLE', 3, true), {
    ...after(0, 4),
    ended: 'AUTHORITY_REVOKED',
  })
})

test('authority is lost with the agent, the contract or a writ of the flow itself', () => {
  const facts = baseCase().facts.value
  const [first] = facts.writs
  assert.ok(facts.contract !== null && first !== undefined)
  const lost = (change: Partial<typeof facts>): boolean => isAuthorityLost({ ...facts, ...change })
  assert.equal(lost({}), false)
  assert.equal(lost({ agent: { status: 'SUSPENDED', maintenance: true } }), false)
  assert.equal(lost({ agent: { status: 'RETIRED', maintenance: false } }), true)
  assert.equal(lost({ contract: null }), true)
  assert.equal(lost({ contract: { ...facts.contract, revoked: true } }), true)
  assert.equal(lost({ flow: { ...facts.flow, revoked_writ: first.id } }), true)
  assert.equal(lost({ writs: [{ ...first, revoked: true }] }), false, 'the proposal named it')
})

test('rules that are not in force cost the agent nothing, however often', () => {
  const most = after(2, LIMITS.transientRetries)
  assert.deepEqual(govern(most, 'RULES_NOT_IN_FORCE'), { ...most, ended: null })
})
