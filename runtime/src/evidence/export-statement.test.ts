/** Proofs as in-toto statements: whoever has one, and public keys, needs nothing else of ours. */
import assert from 'node:assert/strict'
import { createHash, createPublicKey, verify } from 'node:crypto'
import { test } from 'node:test'
import {
  type DsseEnvelope,
  decodeBase64,
  encodePreAuth,
  PROOF_PREDICATE,
  type ProofCarryingIntent,
  STATEMENT_PAYLOAD,
  STATEMENT_TYPE,
  toCanonicalText,
} from 'rubicon-kernel'
import { createProver, proveProposal } from '../engine/judge/prover.test-support.ts'
import type { Runtime } from '../runtime.ts'
import { exampleRuntime } from './example.test-support.ts'
import { exportStatement } from './export-statement.ts'
import {
  type AskedEnvelope,
  askSecureSystemsLib,
  prepareSecureSystemsLib,
} from './securesystemslib.test-support.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const decode = (text: string): Uint8Array => decodeBase64(text) ?? new Uint8Array(0)
const parsePayload = ({ payload }: DsseEnvelope) =>
  JSON.parse(Buffer.from(decode(payload)).toString())

type Exported = {
  readonly envelope: DsseEnvelope
  readonly keys: ReadonlyMap<string, string>
  readonly intent: ProofCarryingIntent
}

async function exportProven(): Promise<Exported> {
  const { runtime, close } = await exampleRuntime()
  const by = await createProver(runtime, 'refunds_bot')
  const flow = await runtime.open({ agent: 'refunds_bot', trigger: 'proven' })
  const wanted = { policy_kind: 'REFUND', params: { order: flow.dfid, amount: '20.00' } }
  const intent = proveProposal(runtime, flow, by, wanted)
  assert.equal((await flow.propose(intent)).outcome, 'ACCEPTED')
  await runtime.engine.checkpoint()
  const exported = await exportStatement(runtime.engine.context, flow.dfid)
  assert.ok(exported.ok)
  const keys = await readPublicKeys(runtime)
  await close()
  return { envelope: JSON.parse(exported.value), keys, intent }
}

/** Raw, in hexadecimal digits, by id. */
async function readPublicKeys({ engine }: Runtime): Promise<ReadonlyMap<string, string>> {
  const { keys } = await engine.context.authorities.loadLatest()
  const hex = (text: string): string => Buffer.from(decode(text)).toString('hex')
  return new Map([...keys.values()].map(({ key_id, public_key }) => [key_id, hex(public_key)]))
}

function isSignedBy({ payload, payloadType, signatures }: DsseEnvelope, publicHex = ''): boolean {
  const head = Buffer.from('302a300506032b6570032100', 'hex')
  const der = Buffer.concat([head, Buffer.from(publicHex, 'hex')])
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
  const covered = encodePreAuth(payloadType, decode(payload))
  return signatures.every(({ sig }) => verify(null, covered, key, decode(sig)))
}

test('a statement holds what a third party needs to compute the proof again, and both signatures hold', async () => {
  const { envelope, keys, intent } = await exportProven()
  assert.equal(envelope.payloadType, STATEMENT_PAYLOAD)
  const [signature] = envelope.signatures
  assert.ok(isSignedBy(envelope, keys.get(signature?.keyid ?? '')))
  const { _type, predicateType, predicate, subject } = parsePayload(envelope)
  assert.deepEqual([_type, predicateType], [STATEMENT_TYPE, PROOF_PREDICATE])
  assert.deepEqual(subject[0].digest, { sha256: sha256(toCanonicalText(intent)) })
  const [{ pci, evidence, agent_id, outcome }] = predicate.decisions
  assert.deepEqual([agent_id, outcome], ['refunds_bot', 'SUCCESS'])
  assert.ok(isSignedBy(pci, keys.get(pci.signatures[0].keyid)))
  const said = parsePayload(pci)
  const parts = [
    predicate.dfid,
    sha256(evidence.context_ref),
    sha256(toCanonicalText(evidence.contract)),
    evidence.rules_hash.slice('sha256:'.length),
  ]
  assert.equal(sha256(parts.join('')), said.evidence_hash)
  assert.equal(said.context_ref, evidence.context_ref)
})

test('a flow that proved nothing has no statement, nor has one that is not there', async () => {
  const { runtime, close, refund } = await exampleRuntime()
  const { dfid } = await refund('10.00')
  await runtime.engine.checkpoint()
  const { context } = runtime.engine
  const plain = await exportStatement(context, dfid)
  assert.equal(plain.ok ? '' : plain.error.code, 'PROOF_MISSING')
  const none = await exportStatement(context, '0199e7a0-0000-7000-8000-000000000000')
  assert.equal(none.ok ? '' : none.error.code, 'FLOW_UNKNOWN')
  await close()
})

test('securesystemslib verifies a statement and the proof in it, and no other bytes under the same signatures', async (t) => {
  const problem = prepareSecureSystemsLib()
  if (problem !== false) {
    t.diagnostic(`securesystemslib cannot be asked: ${problem}`)
    t.skip(problem)
    return
  }
  const { envelope, keys } = await exportProven()
  const ask = (one: DsseEnvelope, keyid = one.signatures[0]?.keyid ?? ''): AskedEnvelope => {
    return { envelope: one, key: { keyid, public: keys.get(keyid) ?? '' } }
  }
  const [{ pci }] = parsePayload(envelope).predicate.decisions
  const other = Buffer.from(decode(pci.payload)).toString().replace('20.00', '99.00')
  const altered = { ...pci, payload: Buffer.from(other).toString('base64') }
  const retyped = { ...pci, payloadType: STATEMENT_PAYLOAD }
  const said = askSecureSystemsLib([ask(envelope), ask(pci), ask(altered), ask(retyped)])
  assert.deepEqual(said.slice(0, 2), ['verified', 'verified'])
  for (const one of said.slice(2)) assert.match(one, /^VerificationError/)
})
