import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  encodeBase64,
  encodePreAuth,
  encodeUtf8,
  type KeyPurpose,
  parseContract,
  toCanonicalText,
  toPayloadType,
} from 'rubicon-kernel'
import { sha256 } from '../adapters/system/sha256.ts'
import { createSeededSigner, RUNTIME_PURPOSES } from '../adapters/system/signer.ts'
import {
  buildKeyRegistration,
  compromiseKey,
  registerKey,
  retireKey,
} from '../engine/authority/keys.ts'
import { attenuateStoredWrit, issueWrit } from '../engine/authority/writs.ts'
import type { Signer } from '../ports/signer.ts'
import { foundByBoth } from './both-verifiers.test-support.ts'
import { CONTRACT, type Example, exampleRuntime } from './example.test-support.ts'
import { exportBundle } from './export-bundle.ts'

/** A flow that is over, and what its bundle says at each later time. */
async function olderFlow(signer: Signer) {
  const example = await exampleRuntime({ signer })
  const { dfid } = await example.refund('20.00')
  const { engine, store } = example.runtime
  const exported = async (): Promise<string> => {
    await engine.checkpoint()
    const bundle = await exportBundle(store, sha256, dfid)
    assert.ok(bundle.ok)
    return bundle.value
  }
  return { example, exported, found: async () => foundByBoth(await exported()) }
}

async function register(
  { runtime }: Example,
  signer: Signer,
  purpose: KeyPurpose,
  subject: string,
): Promise<string> {
  const { context } = runtime.engine
  const public_key = signer.publicKey(purpose)?.public_key ?? ''
  const body = buildKeyRegistration(context, { purpose, public_key, subject })
  assert.ok(body.ok)
  const text = encodeUtf8(toCanonicalText(body.value))
  const possession = encodeBase64(
    await signer.sign(purpose, encodePreAuth(toPayloadType('key'), text)),
  )
  const done = await registerKey(context, { purpose, public_key, subject, possession })
  assert.ok(done.ok)
  return done.value.key_id
}

const first = createSeededSigner(encodeUtf8('first'), RUNTIME_PURPOSES)
const second = createSeededSigner(encodeUtf8('second'), ['agent', 'approver', 'checkpoint'])

test('a bundle of an older flow does not fail because keys came and went after it', async () => {
  const { example, found } = await olderFlow(first)
  const { context } = example.runtime.engine
  assert.deepEqual(await found(), [])
  const agent = await register(example, second, 'agent', 'refunds_bot')
  assert.deepEqual(await found(), [], 'another key was registered')
  await example.runtime.deploy({ ...CONTRACT, version: '1.0.1' })
  const approver = await register(example, second, 'approver', 'ann@example.com')
  assert.deepEqual(await found(), [], 'one stands behind what is left out')
  assert.ok((await retireKey(context, agent)).ok)
  assert.deepEqual(await found(), [], 'one was retired')
  assert.ok((await compromiseKey(context, approver, 0)).ok)
  assert.deepEqual(await found(), [], 'one that had signed nothing of it was compromised')
  for (const purpose of ['issuer', 'kernel'] as const)
    assert.ok((await retireKey(context, first.publicKey(purpose)?.key_id ?? '')).ok)
  assert.deepEqual(await found(), [], 'those that had signed it were retired')
  await example.close()
})

test('a bundle of an older flow does not fail because the key of checkpoints was changed', async () => {
  let holder = first
  const signer: Signer = {
    publicKey: (purpose) => (purpose === 'checkpoint' ? holder : first).publicKey(purpose),
    sign: (purpose, message) => (purpose === 'checkpoint' ? holder : first).sign(purpose, message),
  }
  const { example, exported, found } = await olderFlow(signer)
  const { context } = example.runtime.engine
  const before = await exported()
  await register(example, second, 'checkpoint', context.audience)
  holder = second
  assert.deepEqual(await found(), [], 'the new one signs')
  assert.ok((await retireKey(context, first.publicKey('checkpoint')?.key_id ?? '')).ok)
  assert.deepEqual(await found(), [], 'the old one was retired')
  assert.deepEqual(await foundByBoth(before), [], 'what was exported before stands')
  await example.close()
})

test('a compromise recorded after a flow is not left out of its bundle', async () => {
  const { example, exported, found } = await olderFlow(first)
  const { context } = example.runtime.engine
  const kernel = first.publicKey('kernel')?.key_id ?? ''
  const { entries } = JSON.parse(await exported())
  const dispatch = entries.find((one: { envelope: { kind: string } }) => {
    return one.envelope.kind === 'dispatch'
  })
  const { seq } = await context.authorities.loadLatest()
  assert.ok((await compromiseKey(context, kernel, seq + 1)).ok)
  assert.deepEqual(await found(), [], 'it was still good then')
  assert.ok((await compromiseKey(context, kernel, 0)).ok)
  assert.ok((await found()).includes(`${dispatch.leaf} ENTRY_SIGNATURE`))
  await example.close()
})

test('a bundle is made in one go, however many entries it has', async () => {
  const { runtime, refund } = await exampleRuntime({ signer: first })
  const { dfid } = await refund('20.00')
  const { engine, store } = runtime
  await engine.checkpoint()
  let pauses = 0
  const bundle = await exportBundle(store, sha256, dfid, undefined, async () => {
    pauses += 1
  })
  assert.ok(bundle.ok)
  const { entries } = JSON.parse(bundle.value)
  assert.equal(pauses, entries.length)
  assert.equal(bundle.value, `${toCanonicalText(JSON.parse(bundle.value))}\n`)
})

test('a bundle is not refused because a person deployed its contract, or because its agent is an instance', async () => {
  const { runtime } = await exampleRuntime({ signer: first, people: ['olga@example.com'] })
  const { engine, store } = runtime
  const contract = parseContract({ ...CONTRACT, version: '1.1.0' })
  assert.ok(contract.ok)
  const by = { principal: 'olga@example.com' }
  assert.ok((await engine.deploy(contract.value, { by })).ok)
  assert.ok((await engine.instances.spawn({ class: 'refunds_bot', instance: 'refunds_bot-1' })).ok)
  for (const agent of ['refunds_bot', 'refunds_bot-1']) {
    const flow = await runtime.open({ agent, trigger: 'a ticket' })
    const params = { order: agent, amount: '20.00' }
    const { execution } = await flow.propose({ policy_kind: 'REFUND', params })
    assert.equal(execution?.status, 'SUCCESS')
    await engine.checkpoint()
    const bundle = await exportBundle(store, sha256, flow.dfid)
    assert.ok(bundle.ok)
    assert.deepEqual(await foundByBoth(bundle.value), [], agent)
  }
  await runtime.close()
})

test('a bundle is not refused because its flow acted on a writ that was issued by hand', async () => {
  const { runtime } = await exampleRuntime({ signer: first })
  const { engine, store } = runtime
  const above = await issueWrit(engine.context, { agent: 'refunds_bot' })
  assert.ok(above.ok)
  const narrowed = await attenuateStoredWrit(engine.context, above.value.id, {
    subject: 'refunds_bot',
    budget: { calls: '2' },
  })
  const unused = await issueWrit(engine.context, { agent: 'refunds_bot' })
  assert.ok(narrowed.ok && unused.ok)
  const flow = await runtime.open({ agent: 'refunds_bot', trigger: 'a ticket' })
  const { execution } = await flow.propose({
    policy_kind: 'REFUND',
    params: { order: 'o-1', amount: '20.00' },
    writ_id: narrowed.value.id,
  })
  assert.equal(execution?.status, 'SUCCESS')
  await engine.checkpoint()
  const bundle = await exportBundle(store, sha256, flow.dfid)
  assert.ok(bundle.ok)
  assert.deepEqual(await foundByBoth(bundle.value), [])
  assert.ok([above, narrowed].every(({ value }) => bundle.value.includes(value.body.nonce)))
  assert.ok(!bundle.value.includes(unused.value.body.nonce))
  await runtime.close()
})
