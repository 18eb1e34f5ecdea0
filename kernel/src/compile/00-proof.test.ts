import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import {
  computeEvidenceHash,
  hashEvidenceContract,
  toEvidenceRules,
} from '../proposal/evidence-hash.ts'
import { computeIntentDigest } from './10-emission.ts'
import { AGENT, baseCase, type CasePatch, sha256, withCase } from './case.test-support.ts'
import { compile } from './compile.ts'
import type { CompileInput } from './input.ts'

const KEY = { key_id: 'agent-7d1f0c2b9a3e4f58', purpose: 'agent', subject: AGENT } as const
const signedBy = (signature: JsonObject): CasePatch['facts'] => ({
  auth: { kind: 'signature', agent_id: null, key: null, signature },
})
const MOVED: CasePatch = {
  contract: { jit_verification: { drift_envelope: { price_pct: '0.5' } } },
  facts: {
    seen: { 'market.price.ETH-USD': { value: '99.50' } },
    state: { 'market.price.ETH-USD': { value: '101.20' } },
  },
}

function bind({ contract, facts: { value: facts } }: CompileInput): string {
  return computeEvidenceHash(
    {
      dfid: facts.flow.dfid,
      context_ref: facts.flow.snapshot_id,
      h_c: hashEvidenceContract(contract as unknown as JsonValue, sha256),
      h_r: toEvidenceRules(facts.rules_hash),
    },
    sha256,
  )
}

/** Signed by the agent and bound to what the case stands on, but for what is said. */
function proven(patch: CasePatch = {}, said: { hash?: string; auth?: CasePatch['facts'] } = {}) {
  const auth = said.auth ?? signedBy({ ...KEY, valid: true })
  const whole = { ...patch, facts: { ...patch.facts, ...auth } } as CasePatch
  const evidence_hash = said.hash ?? bind(withCase(whole))
  const proof = { evidence_hash, signature: { key_id: KEY.key_id, sig: 'AAAA' } }
  return compile(withCase({ ...whole, proposal: { ...patch.proposal, ...proof } } as CasePatch))
}

const codeOf = (verdict: ReturnType<typeof proven>): string =>
  verdict.kind === 'rejected' ? `${verdict.stage} ${verdict.code}` : verdict.kind

test('a proof that holds is judged on by all stages, and is the first line of the trace', () => {
  const verdict = proven()
  assert.equal(verdict.kind, 'staged')
  assert.deepEqual(
    verdict.trace.map(({ stage }) => stage),
    ['proof', ...compile(baseCase()).trace.map(({ stage }) => stage)],
  )
})

test('only a signature of the agent itself makes a proof', () => {
  for (const signature of [
    { ...KEY, valid: false },
    { ...KEY, subject: 'somebody_else', valid: true },
    { ...KEY, purpose: 'kernel', valid: true },
    { ...KEY, purpose: null, subject: null, valid: true },
  ])
    assert.equal(codeOf(proven({}, { auth: signedBy(signature) })), 'proof REJECT_AUTH')
  assert.equal(codeOf(proven({}, { auth: {} })), 'proof REJECT_AUTH')
})

test('the checks come in their order: signature, context, drift, hash', () => {
  const wrong = { hash: '0'.repeat(64) }
  const elsewhere = { proposal: { context_ref: `sha256:${'6'.repeat(64)}` } }
  const auth = signedBy({ ...KEY, valid: false })
  assert.equal(codeOf(proven({ ...MOVED, ...elsewhere }, { ...wrong, auth })), 'proof REJECT_AUTH')
  assert.equal(codeOf(proven({ ...MOVED, ...elsewhere }, wrong)), 'proof REJECT_CONTEXT')
  assert.equal(codeOf(proven(MOVED, wrong)), 'proof REJECT_DRIFT')
  assert.equal(codeOf(proven({}, wrong)), 'proof REJECT_HASH')
})

test('a proof comes before everything that a stage would refuse, and after it they refuse as ever', () => {
  const suspended: CasePatch = { facts: { agent: { status: 'SUSPENDED' } } }
  assert.equal(codeOf(proven(suspended, { hash: '0'.repeat(64) })), 'proof REJECT_HASH')
  assert.equal(codeOf(proven(suspended)), 'scope AGENT_SUSPENDED')
})

test('a step that is done is answered with what came of it, whatever has moved since, and only to who signed', () => {
  const claimed = { ...MOVED, facts: { ...MOVED.facts, claim: { status: 'SUCCESS' } } } as CasePatch
  assert.equal(codeOf(proven(claimed, { hash: '0'.repeat(64) })), 'repeated')
  const auth = signedBy({ ...KEY, valid: false })
  assert.equal(codeOf(proven(claimed, { auth })), 'proof REJECT_AUTH')
})

test('a step that is done is not refused, and its flow not ended, because the flow was shown something newer since', () => {
  const elsewhere = { proposal: { context_ref: `sha256:${'6'.repeat(64)}` } }
  assert.equal(
    codeOf(proven({ ...elsewhere, facts: { claim: { status: 'SUCCESS' } } })),
    'repeated',
  )
  assert.equal(
    codeOf(proven({ ...elsewhere, facts: { claim: { status: 'DISPATCHED' } } })),
    'repeat STEP_IN_FLIGHT',
  )
})

const ASKED: CasePatch = { topologies: [{ topology: 'DL_PCI', agents: [AGENT] }] }
const approvedBy = (approver: string): CasePatch['facts'] => ({
  auth: { kind: 'approval', agent_id: null, key: null, request_id: 'r', approver },
})

test('where the rules ask for a proof nothing without one passes, neither first nor as a repetition', () => {
  assert.equal(codeOf(proven(ASKED)), 'staged')
  assert.equal(codeOf(compile(withCase(ASKED))), 'proof TOPOLOGY_MISMATCH')
  const claimed: CasePatch = { ...ASKED, facts: { claim: { status: 'SUCCESS' } } }
  assert.equal(codeOf(compile(withCase(claimed))), 'proof TOPOLOGY_MISMATCH')
  const others: CasePatch = { topologies: [{ topology: 'DL_PCI', agents: ['somebody_else'] }] }
  assert.equal(codeOf(compile(withCase(others))), 'staged')
})

test('a decision about an event serves a topology of events, and one about none does not', () => {
  const topologies = [{ topology: 'EOAM', agents: [AGENT] }] as const
  const event = { event_id: 'e-1', topic: 'fraud' }
  assert.equal(codeOf(compile(withCase({ topologies }))), 'proof TOPOLOGY_MISMATCH')
  assert.equal(codeOf(compile(withCase({ topologies, facts: { flow: { event } } }))), 'staged')
})

test('a proof of an agent without a contract is refused, and nobody asks what may have moved', () => {
  const auth = signedBy({ ...KEY, valid: true })
  const good = withCase({ facts: { ...auth } })
  const evidence_hash = bind(good)
  const proposal = { ...good.proposal, evidence_hash }
  const verdict = compile({ ...good, proposal, contract: null })
  assert.equal(verdict.kind, 'rejected')
})

test('what a person wrote needs no proof, and what an agent above wrote is not taken for a person', () => {
  const supersedes = `sha256:${'7'.repeat(64)}`
  const written = (approver: string): CasePatch => ({
    ...ASKED,
    proposal: { supersedes },
    facts: { ...approvedBy(approver) },
  })
  assert.equal(codeOf(compile(withCase(written('ann@example.com')))), 'staged')
  assert.equal(codeOf(compile(withCase(written('agent:lead')))), 'proof TOPOLOGY_MISMATCH')
  // Whether it could do itself what it lets pass; nothing of this is carried out.
  const admitted: CasePatch = { ...ASKED, facts: { ...approvedBy('agent:lead') } }
  assert.equal(codeOf(compile(withCase(admitted))), 'staged')
})

test('an intent says what follows its failure where it carries a proof, and an approval binds to that', () => {
  const verdict = proven()
  const plain = compile(baseCase())
  assert.ok(verdict.kind === 'staged' && plain.kind === 'staged')
  const { intent } = verdict
  assert.equal(intent.on_failure, 'ALERT_HUMAN')
  assert.equal('on_failure' in plain.intent, false)
  const other = { ...intent, on_failure: 'REVERT_STATE' } as const
  assert.notEqual(computeIntentDigest(other, sha256), computeIntentDigest(intent, sha256))
})
