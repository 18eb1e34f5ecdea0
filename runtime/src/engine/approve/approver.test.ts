import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { test } from 'node:test'
import {
  buildApprovalBody,
  type EscalationDecision,
  encodeBase64,
  encodePreAuth,
  encodeUtf8,
  type JsonValue,
  toCanonicalText,
  toPayloadType,
} from 'rubicon-kernel'
import { toRawPublicKey } from '../../adapters/system/ed25519.ts'
import { buildKeyRegistration, compromiseKey, registerKey, retireKey } from '../authority/keys.ts'
import { Engine } from '../engine.ts'
import { AGENT } from '../flow/flow-stage.test-support.ts'
import {
  ANN,
  BOB,
  codeOf,
  type Desk,
  decisionFor,
  desk,
  lastOf,
} from './escalation.test-support.ts'

type Own = { readonly key_id: string; readonly key: KeyObject }

function signedBy(key: KeyObject, type: string, body: unknown): string {
  const message = encodePreAuth(toPayloadType(type), encodeUtf8(toCanonicalText(body as JsonValue)))
  return encodeBase64(new Uint8Array(sign(null, message, key)))
}

/** A key of the person, registered for approving. */
async function registered(stage: Desk, subject: string): Promise<Own> {
  const { context } = stage.engine()
  const { privateKey: key } = generateKeyPairSync('ed25519')
  const core = {
    purpose: 'approver',
    subject,
    public_key: encodeBase64(toRawPublicKey(key)),
  } as const
  const body = buildKeyRegistration(context, core)
  assert.ok(body.ok)
  const made = await registerKey(context, { ...core, possession: signedBy(key, 'key', body.value) })
  assert.ok(made.ok)
  return { key_id: made.value.key_id, key }
}

async function signedDecision(
  stage: Desk,
  { key_id, key }: Own,
  approver = 'ann@example.com',
  type = 'approval',
): Promise<Partial<EscalationDecision>> {
  const { request } = await stage.waiting()
  const decision = decisionFor(stage, request)
  const { people } = stage.engine()
  const person = (await people.find({ kind: 'name', name: approver })) ?? ''
  const sig = signedBy(key, type, buildApprovalBody(request, decision, approver, person))
  return { signature: { key_id, sig } }
}

test('a person signs with a key of his own, and the ledger holds the signature', async () => {
  const stage = await desk()
  const own = await registered(stage, 'ann@example.com')
  const { flow } = await stage.ask('800.00')
  assert.equal(codeOf(await stage.decide(await signedDecision(stage, own))), 'ok')
  const { vouched_by, signature } = await lastOf(stage, flow.dfid, 'approval')
  assert.equal(vouched_by, 'approver')
  assert.equal((signature as { key_id: string }).key_id, own.key_id)
  assert.deepEqual(stage.sent, ['800.00'])
  await stage.close()
})

test('a signature of another, for another, over something else or by an ended key counts for nothing', async () => {
  const stage = await desk()
  const own = await registered(stage, 'ann@example.com')
  const bobs = await registered(stage, 'bob@example.com')
  await stage.ask('800.00')
  const forged = [
    await signedDecision(stage, bobs),
    await signedDecision(stage, { ...own, key: bobs.key }),
    await signedDecision(stage, own, 'bob@example.com'),
    await signedDecision(stage, own, 'ann@example.com', 'proposal'),
  ]
  for (const decision of forged)
    assert.equal(codeOf(await stage.decide(decision, ANN)), 'APPROVER_UNKNOWN')
  const good = await signedDecision(stage, own)
  await retireKey(stage.engine().context, own.key_id)
  assert.equal(codeOf(await stage.decide(good)), 'APPROVER_UNKNOWN')
  assert.deepEqual(stage.sent, [])
  await stage.close()
})

test('where people have keys for approving, nobody vouches for one who has none', async () => {
  const stage = await desk()
  await stage.ask('800.00')
  await registered(stage, 'ann@example.com')
  assert.equal(codeOf(await stage.decide({}, BOB)), 'APPROVER_UNKNOWN')
  assert.equal(codeOf(await stage.decide({}, ANN)), 'ok')
  await stage.close()
})

test('when the last key for approving has ended, nobody decides until somebody has one again', async () => {
  const stage = await desk()
  await stage.ask('800.00')
  const own = await registered(stage, 'ann@example.com')
  await retireKey(stage.engine().context, own.key_id)
  for (const who of [ANN, BOB])
    assert.equal(codeOf(await stage.decide({}, who)), 'APPROVER_UNKNOWN')
  const lost = await registered(stage, 'bob@example.com')
  assert.ok((await compromiseKey(stage.engine().context, lost.key_id, 0)).ok)
  assert.equal(codeOf(await stage.decide({}, BOB)), 'APPROVER_UNKNOWN')
  assert.deepEqual(stage.sent, [])
  await registered(stage, 'ann@example.com')
  assert.equal(codeOf(await stage.decide({}, ANN)), 'ok')
  await stage.close()
})

test('a process without the operator key never breaks over what that key has to sign: it says where to ask', async () => {
  const stage = await desk()
  await stage.ask('800.00')
  const { request } = await stage.waiting()
  const { context } = stage.engine()
  const { signer } = context
  const keyless: typeof signer = {
    publicKey: (purpose) => (purpose === 'operator' ? null : signer.publicKey(purpose)),
    sign: (purpose, message) => signer.sign(purpose, message),
  }
  const engine = new Engine({ ...context, signer: keyless }, { background: false })
  const said = await engine.oversight.decideEscalation(request.id, decisionFor(stage, request), ANN)
  assert.equal(codeOf(said), 'KEY_MISSING')
  const move = { agent_id: AGENT, to: 'SUSPENDED', actor: 'operator', justification: 'x' } as const
  assert.equal(codeOf(await engine.moveAgent(move)), 'KEY_MISSING')
  assert.equal(codeOf(await stage.decide()), 'ok', 'where the key is it counts')
  await stage.close()
})
