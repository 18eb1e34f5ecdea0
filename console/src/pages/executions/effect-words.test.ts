import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeEffect } from './effect-words.ts'

test('an effect is told by its kind and what it is about', () => {
  const params = { amount: '20.00', order: 'o_1' }
  assert.equal(describeEffect({ policy_kind: 'REFUND', params }), 'REFUND amount 20.00, order o_1')
  assert.equal(describeEffect({ policy_kind: 'NOOP', params: {} }), 'NOOP')
})
