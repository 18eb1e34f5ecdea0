import assert from 'node:assert/strict'
import { test } from 'node:test'
import { effectWords, parseIntent } from './effect-words.ts'

const refund = {
  policy_kind: 'REFUND',
  intent: '{"agent_id":"refunds_bot","params":{"amount":"20.00","order":"o_1"}}',
}

test('an effect is told by its kind and what it is about', () => {
  assert.equal(effectWords(refund), 'REFUND amount 20.00, order o_1')
  assert.equal(parseIntent(refund).agent_id, 'refunds_bot')
})

test('what an intent does not say is left out', () => {
  assert.equal(effectWords({ policy_kind: 'NOOP', intent: '{}' }), 'NOOP')
  assert.equal(parseIntent({ intent: '{}' }).agent_id, '')
})
