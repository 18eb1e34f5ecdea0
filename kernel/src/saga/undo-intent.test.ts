import assert from 'node:assert/strict'
import { test } from 'node:test'
import { computeAddress } from '../canonical/address.ts'
import type { JsonObject } from '../canonical/json-value.ts'
import { sha256 } from '../compile/case.test-support.ts'
import { staged } from '../compile/expect.test-support.ts'
import { reserved } from '../compile/reserved-case.test-support.ts'
import type { SignedIntent } from '../execution/intent.ts'
import { formatIntentBody } from '../execution/intent-text.ts'
import { buildUndoIntent } from './undo-intent.ts'
import { isUndoStep, toUndoStep } from './undo-step.ts'

const signature = { key_id: 'key-kernel', sig: 'c2ln' }
const of: SignedIntent = { ...staged({}).intent, kernel_signature: signature }
const chosen: SignedIntent = {
  ...staged(reserved('RETIRE', { proposal: { step_id: 'choose' } })).intent,
  kernel_signature: signature,
}
const times = {
  staged_at: '2026-03-02T10:01:00.000Z',
  dispatch_before: '2026-03-02T10:01:30.000Z',
}

test('it acts where the effect was, with its parameters, and under a key of its own', () => {
  const { intent } = buildUndoIntent({ of, chosen, action: 'REVERT', ...times }, sha256)
  assert.deepEqual([intent.dfid, intent.step_id], [of.dfid, 'undo~step-1'])
  assert.deepEqual([intent.params, intent.resources], [of.params, of.resources])
  assert.deepEqual([intent.capability, intent.capability_hash], [of.capability, of.capability_hash])
  assert.notEqual(intent.idempotency_key, of.idempotency_key)
  assert.deepEqual(intent.compensation, {
    action: 'REVERT',
    chosen: chosen.intent_id,
    dfid: chosen.dfid,
    of: of.intent_id,
  })
})

test('it stands on the authority of the choice, and costs nothing', () => {
  const { intent } = buildUndoIntent({ of, chosen, action: 'REVERT', ...times }, sha256)
  for (const name of [
    'agent_id',
    'writ_id',
    'contract_hash',
    'facts_hash',
    'proposal_hash',
  ] as const)
    assert.equal(intent[name], chosen[name])
  assert.deepEqual(intent.cost, {})
})

test('its id addresses everything else, and it is frozen', () => {
  const { intent, text } = buildUndoIntent({ of, chosen, action: 'REVERT', ...times }, sha256)
  const { intent_id, ...body } = intent
  assert.equal(intent_id, computeAddress('intent', body as unknown as JsonObject, sha256))
  assert.deepEqual(JSON.parse(formatIntentBody(text)), body)
  assert.ok(Object.isFrozen(intent))
})

test('no proposal can claim the step of a compensation', () => {
  assert.ok(isUndoStep(toUndoStep('step-1')))
  assert.ok(!isUndoStep('undo-step-1'))
})
