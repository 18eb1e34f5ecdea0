/** A statement says of each proven intent what the agent signed, what it was bound to, and what became of it. */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import type { Address } from '../canonical/address.ts'
import type { JsonObject } from '../canonical/json-value.ts'
import type { Sha256 } from '../canonical/sha256.ts'
import { toCanonicalText } from '../canonical/write-json.ts'
import { toProofCarryingIntent } from '../proposal/proof-carrying-intent.ts'
import { buildStatementText, formatStatement, type ProvenDecision } from './statement.ts'

const sha256: Sha256 = (data) => hash('sha256', data, 'buffer')
const ID: Address = `sha256:${'a'.repeat(64)}`
const said: JsonObject = { context_ref: 'c1', dfid: 'f1', evidence_hash: 'e1' }
const proposal: JsonObject = {
  ...{ ...said, agent_id: 'bot', policy_kind: 'PAY', params: { amount: '5' } },
  signature: { key_id: 'k1', sig: 'AAAA' },
}
const decision: ProvenDecision = {
  proposal,
  intent: { intent_id: ID, step_id: 's1' },
  contract: { agent_id: 'bot' },
  rules_hash: ID,
  entry: { id: ID, trajectory: 'main', seq: 4, leaf: 7 },
  outcome: 'SUCCESS',
}
const input = { dfid: 'f1', tenant: 'acme', checkpoint: 'note' }

const decode = (text: unknown): string => Buffer.from(String(text), 'base64').toString()

test('a statement names the intents of a flow by their digest, and holds their proofs', () => {
  const { signature: _, agent_id: __, ...intent_payload } = proposal
  const { context_ref: ___, dfid: ____, evidence_hash: _____, ...payload } = intent_payload
  const text = buildStatementText({ ...input, decisions: [decision] }, sha256)
  const { predicate, ...statement } = JSON.parse(text)
  const published = toCanonicalText(toProofCarryingIntent(proposal) ?? null)
  assert.deepEqual(statement, {
    _type: 'https://in-toto.io/Statement/v1',
    predicateType: 'urn:rubicon:proof-carrying-intents:v1',
    subject: [{ digest: { sha256: hash('sha256', published) }, name: 'f1/s1' }],
  })
  const [{ pci, ...one }] = predicate.decisions
  assert.deepEqual({ ...predicate, decisions: [] }, { ...input, decisions: [] })
  assert.deepEqual(one, {
    ...{ agent_id: 'bot', entry: decision.entry, intent: decision.intent, outcome: 'SUCCESS' },
    evidence: {
      context_ref: 'c1',
      contract: { agent_id: 'bot' },
      evidence_hash: 'e1',
      rules_hash: ID,
    },
  })
  assert.match(pci.payloadType, /pci/)
  assert.deepEqual(pci.signatures, [{ keyid: 'k1', sig: 'AAAA' }])
  assert.deepEqual(JSON.parse(decode(pci.payload)), {
    ...said,
    intent_payload: payload,
    key_id: 'k1',
  })
})

test('what carries no proof is published as nothing, and says so of its members', () => {
  const bare = { ...decision, proposal: { policy_kind: 'PAY' } }
  const { subject, predicate } = JSON.parse(
    buildStatementText({ ...input, decisions: [bare] }, sha256),
  )
  assert.equal(subject[0].digest.sha256, hash('sha256', '{}'))
  const [{ agent_id, evidence, pci }] = predicate.decisions
  assert.deepEqual([agent_id, evidence.context_ref, evidence.evidence_hash], [null, null, null])
  assert.deepEqual(pci.signatures, [{ keyid: 'undefined', sig: 'undefined' }])
})

test('a statement is signed as one line of its own type', () => {
  const line = formatStatement('{}', { key_id: 'kernel', sig: 'AAAA' })
  assert.ok(line.endsWith('}\n') && line.trim().split('\n').length === 1)
  assert.deepEqual(JSON.parse(line), {
    ...{
      payload: Buffer.from('{}').toString('base64'),
      payloadType: 'application/vnd.in-toto+json',
    },
    signatures: [{ keyid: 'kernel', sig: 'AAAA' }],
  })
})
