import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeEffect } from './effect-words.ts'

test('an effect is told by its kind and what it is about', () => {
  const row = { policy_kind: 'REFUND', params: { amount: '20.00', order: 'o_1' } }
  assert.equal(describeEffect(new Map(), row), 'REFUND amount 20.00, order o_1')
  assert.equal(describeEffect(new Map(), { policy_kind: 'NOOP', params: {} }), 'NOOP')
  const ordered = { scopes: {}, params: { required: ['order', 'amount'] } }
  assert.equal(
    describeEffect(new Map([['REFUND', ordered]]), row),
    'REFUND order o_1, amount 20.00',
  )
  const named = { scopes: { orders: '/order' }, params: {} }
  assert.equal(describeEffect(new Map([['REFUND', named]]), row), 'REFUND o_1')
})
