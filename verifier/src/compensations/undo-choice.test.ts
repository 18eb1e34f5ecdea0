import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type JsonObject, REVERT, type SignedIntent } from 'rubicon-kernel'
import { describeUnsaid, listWantedMoves } from './after-failure.ts'
import { findChoice, formatAuthorityKey } from './undo-choice.ts'

const intentOf = (change: JsonObject): SignedIntent =>
  ({ policy_kind: 'PAY', params: {}, dfid: 'own', ...change }) as never

test('a COMPENSATE chooses what its parameters name, and a proven intent itself, for the case that it fails', () => {
  const params = { dfid: 'other', action: 'undo' }
  const now = { dfid: 'other', action: 'undo', isFixed: false }
  assert.deepEqual(findChoice(intentOf({ policy_kind: 'COMPENSATE', params })), now)
  const fixed = { dfid: 'own', action: REVERT, isFixed: true }
  assert.deepEqual(findChoice(intentOf({ on_failure: 'REVERT_STATE' })), fixed)
  assert.equal(findChoice(intentOf({ on_failure: 'ALERT_HUMAN' })), null)
  assert.equal(findChoice(intentOf({ params })), null)
})

test('what takes back chooses nothing to be taken back', () => {
  for (const change of [{ policy_kind: 'COMPENSATE' }, { on_failure: 'REVERT_STATE' }])
    assert.equal(findChoice(intentOf({ ...change, compensation: {} })), null)
})

test('what a choice stands on is all of it: another writ, contract, proposal, flow or agent is another', () => {
  const whole = { agent_id: 'a', writ_id: 'w', contract_hash: 'c', proposal_hash: 'p' }
  const keys = [
    ...[whole, { ...whole, agent_id: 'b' }, { ...whole, writ_id: 'x' }],
    ...[
      { ...whole, contract_hash: 'x' },
      { ...whole, proposal_hash: 'x' },
    ],
  ].map((change) => formatAuthorityKey('f', intentOf(change)))
  assert.equal(new Set([...keys, formatAuthorityKey('g', intentOf(whole))]).size, 6)
})

test('after a failure a flow is DIRTY first, and then what its intent fixed is begun', () => {
  const dirty = 'PARTIAL_SUCCESS_DIRTY'
  assert.deepEqual(listWantedMoves(null), [dirty])
  assert.deepEqual(listWantedMoves('REVERT_STATE'), [dirty, 'COMPENSATING'])
  assert.deepEqual(listWantedMoves('ALERT_HUMAN'), [dirty, 'MANUAL_REVIEW'])
  assert.match(describeUnsaid([dirty, 'COMPENSATING']), /is not DIRTY$/)
  assert.match(describeUnsaid(['COMPENSATING']), /was not begun$/)
})
