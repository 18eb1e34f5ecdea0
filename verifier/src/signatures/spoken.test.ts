import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AcceptedPayload, JsonObject, JsonValue } from 'rubicon-kernel'
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

/** What is wrong with a proposal that came so. */
function said(
  auth: JsonObject,
  proposal: JsonValue = {},
  {
    intent = {},
    isSigned = true,
  }: { readonly intent?: JsonObject; readonly isSigned?: boolean } = {},
): readonly string[] {
  const payload = { intent: { agent_id: 'agent-1', ...intent }, proposal, facts: { auth } }
  const ring = { isSigned: () => isSigned } as unknown as KeyRing
  return findSpokenProblems(ring, payload as unknown as AcceptedPayload)
}

const UNPROVEN = ['nothing proves that its agent sent the proposal']
const OTHER_KEY = ['its proposal was signed with another key']

test('a session speaks for its own agent, and an approval only where there was one', () => {
  assert.deepEqual(said({ kind: 'session', agent_id: 'agent-1' }), [])
  assert.deepEqual(said({ kind: 'session', agent_id: 'agent-2' }), UNPROVEN)
  assert.deepEqual(said({ kind: 'session', agent_id: 'agent-1' }, null), [])
  assert.deepEqual(said({ kind: 'approval', request_id: 'r:1', approver: 'ann' }), UNPROVEN)
  assert.deepEqual(said({ kind: 'signature', signature: { key_id: 'k' } }), UNPROVEN)
})

test('what undoes something, and what has no facts, carries the word of its choice', () => {
  const stranger = { kind: 'session', agent_id: 'agent-2' }
  const compensation = { of: 'x', chosen: 'y', dfid: 'z', action: 'REVERT' }
  assert.deepEqual(said(stranger, {}, { intent: { compensation } }), [])
  const payload = { intent: { agent_id: 'agent-1' }, proposal: {} } as unknown as AcceptedPayload
  assert.deepEqual(findSpokenProblems(NO_KEYS, payload), [])
})

test('a signed proposal is signed by the key that the facts name, whatever session it came in', () => {
  const auth = { kind: 'signature', signature: { key_id: 'k' } }
  const signed = { signature: { key_id: 'k', sig: 'c2ln' } }
  assert.deepEqual(said(auth, signed), [])
  assert.deepEqual(said(auth, signed, { isSigned: false }), [
    'the signature of its proposal is invalid',
  ])
  assert.deepEqual(said({ kind: 'session', agent_id: 'agent-1' }, signed), OTHER_KEY)
  assert.deepEqual(said({ kind: 'signature', signature: { key_id: 'l' } }, signed), OTHER_KEY)
  assert.deepEqual(said(auth, { signature: { key_id: 'k' } }), OTHER_KEY)
  assert.deepEqual(said(auth, { signature: 'c2ln' }), OTHER_KEY)
  const unnamed = { kind: 'signature', signature: {} }
  assert.deepEqual(said(unnamed, { signature: { sig: 'c2ln' } }), OTHER_KEY)
})
