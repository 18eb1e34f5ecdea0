import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from '../limits.ts'
import { govern } from './governor.ts'

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
