import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mayBeCancelled } from './may-be-cancelled.ts'

test('a flow can be cancelled while it is open and nothing of it was sent', () => {
  for (const state of ['CREATED', 'ACTIVE', 'VALIDATING', 'ESCALATED', 'ACCEPTED'] as const)
    assert.equal(mayBeCancelled({ state, tags: [] }), true, state)
  for (const state of ['EXECUTING', 'CLOSED', 'ABORTED'] as const)
    assert.equal(mayBeCancelled({ state, tags: [] }), false, state)
})

test('what is uncertain or half done is not cancelled, an opinion does not keep it', () => {
  for (const tag of ['UNKNOWN', 'DIRTY'] as const)
    assert.equal(mayBeCancelled({ state: 'ACTIVE', tags: [tag] }), false, tag)
  assert.equal(mayBeCancelled({ state: 'ACTIVE', tags: ['NEEDS_REVIEW', 'COMPENSATED'] }), true)
  assert.equal(mayBeCancelled({ state: 'ESCALATED', tags: ['NEEDS_REVIEW'] }), false)
})
