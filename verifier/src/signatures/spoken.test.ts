import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AcceptedPayload, JsonValue } from 'rubicon-kernel'
import type { KeyRing } from './key-ring.ts'
import { findSpokenProblems } from './spoken.ts'

const NO_KEYS = {} as KeyRing

/** What is wrong where a person is said to have spoken, by a decision on one request. */
function details(decision: string, proposal: JsonValue, request_id = 'r:1'): readonly string[] {
  const payload = {
    intent: { agent_id: 'agent-1', approval: { request_id: 'r:1', decision } },
    proposal,
    facts: { auth: { kind: 'approval', request_id, approver: 'ann' } },
  }
  return findSpokenProblems(NO_KEYS, payload as unknown as AcceptedPayload)
}

test('a person speaks for an agent in what they modified, and in nothing else', () => {
  const nobody = ['nothing proves that its agent sent the proposal']
  assert.deepEqual(details('MODIFY', {}), [])
  assert.deepEqual(details('OVERRIDE', { supersedes: 'another' }), [], 'it asked again')
  assert.deepEqual(details('OVERRIDE', {}), nobody)
  assert.deepEqual(details('MODIFY', {}, 'r:2'), nobody)
})
