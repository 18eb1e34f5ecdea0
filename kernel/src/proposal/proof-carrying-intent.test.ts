import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../canonical/json-value.ts'
import {
  findLooseProof,
  isProofCarrying,
  toProofCarryingIntent,
  toProvenProposal,
  toSignedText,
} from './proof-carrying-intent.ts'

const INTENT: JsonObject = {
  dfid: '0b1f7a52-4f0e-4c53-9a3c-2a1f6d1f9a01',
  intent_payload: { policy_kind: 'PAY', params: { amount: '100' } },
  context_ref: `sha256:${'5'.repeat(64)}`,
  evidence_hash: 'e'.repeat(64),
  roa_signature: 'c2ln',
  key_id: 'agent-7d1f0c2b9a3e4f58',
}

test('what is judged and recorded is the signed proposal, and the published form can be made of it again', () => {
  assert.ok(isProofCarrying(INTENT))
  const whole = toProvenProposal(INTENT, 'banker')
  assert.ok(whole.ok)
  assert.deepEqual(whole.value, {
    policy_kind: 'PAY',
    params: { amount: '100' },
    agent_id: 'banker',
    context_ref: INTENT.context_ref,
    dfid: INTENT.dfid,
    evidence_hash: INTENT.evidence_hash,
    signature: { key_id: INTENT.key_id, sig: INTENT.roa_signature },
  })
  assert.deepEqual(toProofCarryingIntent(whole.value), INTENT)
})

test('the signature covers every member of the published form but itself, and the agent by its key alone', () => {
  const { roa_signature: _, ...covered } = INTENT
  const whole = toProvenProposal(INTENT, 'banker')
  assert.ok(whole.ok)
  const { type, text } = toSignedText(whole.value)
  assert.deepEqual([type, JSON.parse(text)], ['pci', covered])
})

test('a proposal without a proof is signed as it stands', () => {
  const proposal = { policy_kind: 'PAY', signature: { key_id: 'k', sig: 'c2ln' } }
  assert.deepEqual(toSignedText(proposal), { type: 'proposal', text: '{"policy_kind":"PAY"}' })
  assert.equal(toProofCarryingIntent(proposal), undefined)
  assert.ok(!isProofCarrying(proposal))
})

test('what has another form is refused, and what stands beside the payload is not taken from inside of it', () => {
  const { key_id: _, ...unnamed } = INTENT
  const others: readonly (readonly [string, JsonObject])[] = [
    ['key_id', unnamed],
    ['more', { ...INTENT, more: 1 }],
    ['roa_signature', { ...INTENT, roa_signature: 7 }],
    ['intent_payload', { ...INTENT, intent_payload: 'PAY' }],
    ...['agent_id', 'context_ref', 'dfid', 'evidence_hash', 'signature', 'supersedes'].map(
      (name) => [`intent_payload/${name}`, { ...INTENT, intent_payload: { [name]: 'x' } }] as const,
    ),
  ]
  for (const [member, one] of others) {
    const read = toProvenProposal(one, 'banker')
    assert.ok(!read.ok, member)
    assert.equal(read.error.code, 'SCHEMA_INVALID')
    const problems = read.error.details.problems as readonly JsonObject[]
    assert.deepEqual(
      problems.map((problem) => problem.member),
      [member],
    )
  }
})

test('a hash that stands beside no payload is no proof, and is refused where it stands', () => {
  for (const document of [null, [], 'text', {}, { policy_kind: 'PAY' }])
    assert.equal(findLooseProof(document), null)
  assert.deepEqual(findLooseProof({ policy_kind: 'PAY', evidence_hash: 'e' }), {
    code: 'SCHEMA_INVALID',
    details: { problems: [{ member: 'evidence_hash', detail: 'stands beside `intent_payload`' }] },
  })
})

test('what a recorded proposal with a proof leaves out is null in the published form and under the signature', () => {
  const bare = { evidence_hash: 'e', policy_kind: 'PAY' }
  assert.deepEqual(toProofCarryingIntent(bare), {
    ...{ dfid: null, context_ref: null, evidence_hash: 'e', roa_signature: null, key_id: null },
    intent_payload: { policy_kind: 'PAY' },
  })
  const { text } = toSignedText(bare)
  assert.deepEqual(JSON.parse(text), {
    ...{ dfid: null, context_ref: null, evidence_hash: 'e', key_id: null },
    intent_payload: { policy_kind: 'PAY' },
  })
})
