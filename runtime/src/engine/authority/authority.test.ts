import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { test } from 'node:test'
import {
  encodeBase64,
  encodePreAuth,
  encodeUtf8,
  type Failure,
  type JsonValue,
  type KeyPurpose,
  LIMITS,
  type Result,
  toCanonicalText,
  toPayloadType,
} from 'rubicon-kernel'
import { nodeCrypto, verifyAny } from 'rubicon-verifier'
import { toRawPublicKey } from '../../adapters/system/ed25519.ts'
import { createSeededSigner, RUNTIME_PURPOSES } from '../../adapters/system/signer.ts'
import { CONTRACT, exampleRuntime } from '../../evidence/example.test-support.ts'
import { exportLedger } from '../../evidence/export-ledger.ts'
import type { Signer } from '../../ports/signer.ts'
import { InFlight } from '../effect/in-flight.ts'
import { buildKeyRegistration, compromiseKey, registerKey, retireKey } from './keys.ts'
import { attenuateStoredWrit, issueWrit } from './writs.ts'

const refund = (amount: string): { policy_kind: string; params: object } => ({
  policy_kind: 'REFUND',
  params: { order: 'o', amount },
})

test('a revoked contract stops flows that are already open', async () => {
  const example = await exampleRuntime()
  const flow = await example.runtime.open({ agent: 'refunds_bot', trigger: 'ticket' })
  const { engine } = example.runtime
  await engine.revoke({ target: 'contract', id: 'refunds_bot', reason: 'audit' })
  const answer = await flow.propose(refund('20.00'))
  assert.equal(answer.reason_code, 'CONTRACT_REVOKED')
  assert.equal(example.calls(), 0)
  await example.close()
})

test('a revoked writ stops its flow and the flows below it', async () => {
  const example = await exampleRuntime()
  const parent = await example.runtime.open({
    agent: 'refunds_bot',
    trigger: 'plan',
    steps: 'many',
  })
  const child = await example.runtime.open({
    agent: 'refunds_bot',
    trigger: 'step',
    parent: parent.dfid,
  })
  const row = await example.runtime.store.readFlow(parent.dfid)
  const id = row?.writs[0]?.id ?? ''
  await example.runtime.engine.revoke({ target: 'writ', id, reason: 'mistake' })
  assert.equal((await child.propose(refund('20.00'))).reason_code, 'WRIT_REVOKED')
  assert.equal((await parent.propose(refund('20.00'))).reason_code, 'WRIT_REVOKED')
  assert.equal(example.calls(), 0)
  await example.close()
})

test('a revocation that races with dispatches leaves none after it in the tree', async () => {
  const example = await exampleRuntime()
  const flows = await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      example.runtime.open({ agent: 'refunds_bot', trigger: `t${i}` }),
    ),
  )
  const answers = flows.map((flow, i) =>
    flow.propose({ policy_kind: 'REFUND', params: { order: `o${i}`, amount: '1.00' } }),
  )
  const revoked = example.runtime.engine.revoke({
    target: 'contract',
    id: 'refunds_bot',
    reason: 'stop',
  })
  await Promise.all([...answers, revoked])
  const leaves = await example.runtime.store.listLeaves(0, LIMITS.entriesPerPage)
  const at = leaves.find(({ envelope }) => envelope.kind === 'revocation')?.leaf ?? 0
  const late = leaves.filter(({ envelope, leaf }) => envelope.kind === 'dispatch' && leaf > at)
  assert.deepEqual(late, [])
  await example.close()
})

test('MISSION_DISSONANCE suspends the agent, and a handshake does not lift that', async () => {
  const example = await exampleRuntime()
  const flow = await example.runtime.open({ agent: 'refunds_bot', trigger: 'ticket' })
  const answer = await flow.propose({ ...refund('20.00'), mission_context_hash: 'sha256:other' })
  assert.equal(answer.reason_code, 'MISSION_DISSONANCE')
  const { engine } = example.runtime
  const greeted = await engine.handshake({ agent: 'refunds_bot' })
  assert.ok(!greeted.ok && greeted.error.code === 'AGENT_SUSPENDED')
  const again = example.runtime.open({ agent: 'refunds_bot', trigger: 'again' })
  await assert.rejects(again, { code: 'AGENT_SUSPENDED' })
  assert.equal((await flow.propose(refund('20.00'))).reason_code, 'AGENT_SUSPENDED')
  const moved = await engine.moveAgent({
    agent_id: 'refunds_bot',
    to: 'ACTIVE',
    actor: 'operator',
    justification: 'looked at it',
  })
  assert.ok(moved.ok)
  const third = await example.runtime.open({ agent: 'refunds_bot', trigger: 'third' })
  assert.equal((await third.propose(refund('20.00'))).outcome, 'ACCEPTED')
  await example.close()
})

test('as many rejections within the window as the contract names suspend the agent, over all its flows', async () => {
  const example = await exampleRuntime()
  const safety_rules = { suspend_after_rejections: { count: 4, window_s: 3600 } }
  await example.runtime.deploy({ ...CONTRACT, version: '3.0.0', safety_rules })
  const tooMuch = async (): Promise<string | undefined> => {
    const flow = await example.runtime.open({ agent: 'refunds_bot', trigger: 'ticket' })
    await flow.propose(refund('900.00'))
    return (await flow.propose('not json' as unknown as ReturnType<typeof refund>)).reason_code
  }
  await tooMuch()
  const status = async (): Promise<string | undefined> =>
    (await example.runtime.engine.context.authorities.loadLatest()).statuses.get('refunds_bot')
  assert.equal(await status(), 'ACTIVE')
  await tooMuch()
  assert.equal(await status(), 'SUSPENDED')
  const again = example.runtime.open({ agent: 'refunds_bot', trigger: 'again' })
  await assert.rejects(again, { code: 'AGENT_SUSPENDED' })
  await example.close()
})

test('a child holds a part of its parent budget, and gives back what it did not use when it ends', async () => {
  const example = await exampleRuntime()
  const { store } = example.runtime
  const parent = await example.runtime.open({
    agent: 'refunds_bot',
    trigger: 'plan',
    steps: 'many',
  })
  const held = (): Promise<number> => store.readCounter(`${parent.dfid}:calls`)
  const child = (): ReturnType<typeof example.runtime.open> =>
    example.runtime.open({ agent: 'refunds_bot', trigger: 'step', parent: parent.dfid })

  const used = await child()
  assert.equal(await held(), 10)
  await used.propose(refund('20.00'))
  assert.equal(await held(), 1)
  // A refusal is recorded on the flow although it has ended; nothing is given back a second time.
  assert.equal((await used.propose(refund('21.00'))).reason_code, 'STEP_PARAMS_MISMATCH')
  assert.equal(await held(), 1)

  const cancelled = await child()
  assert.equal(await held(), 11)
  await cancelled.cancel('not needed')
  assert.equal(await held(), 1)

  const argued = await child()
  for (let i = 0; i < 3; i++) await argued.propose(refund('900.00'))
  assert.equal(await held(), 1)
  const kinds = (await store.listFlowEntries(parent.dfid)).map(({ envelope }) => envelope.kind)
  assert.equal(kinds.filter((kind) => kind === 'delegation').length, 6)
  await example.close()
})

test('a contract that allows one rejection ends the flow at the first, also when it cannot be parsed', async () => {
  const example = await exampleRuntime()
  const safety_rules = { max_intent_retries: 1 }
  await example.runtime.deploy({ ...CONTRACT, version: '4.0.0', safety_rules })
  const flow = await example.runtime.open({ agent: 'refunds_bot', trigger: 'ticket' })
  const answer = await example.runtime.engine.propose(flow.dfid, '{')
  assert.equal(answer.reason_code, 'REASONING_EXHAUSTION')
  assert.equal((await example.runtime.store.readFlow(flow.dfid))?.state, 'ABORTED')
  await example.close()
})

test('nothing is sent on the word of a signature that is not of the kernel key', async () => {
  const keys = createSeededSigner(encodeUtf8('own'), RUNTIME_PURPOSES)
  const signer: Signer = {
    publicKey: keys.publicKey,
    sign: (purpose, message) => keys.sign(purpose === 'kernel' ? hand : purpose, message),
  }
  let hand: KeyPurpose = 'kernel'
  const example = await exampleRuntime({ signer })
  hand = 'issuer'
  const answer = await example.refund('20.00')
  assert.equal(answer.execution?.status, 'FAILED')
  assert.equal(answer.execution?.reason_code, 'INTENT_SIGNATURE_INVALID')
  assert.equal(example.calls(), 0)
  await example.close()
})

test('a key of the runtime that was retired or compromised signs nothing more, and no operator key ends itself', async () => {
  const example = await exampleRuntime()
  const { engine } = example.runtime
  const { context } = engine
  const idOf = (purpose: KeyPurpose): string => context.signer.publicKey(purpose)?.key_id ?? ''
  const codeOf = (said: Result<unknown, Failure>): string => (said.ok ? 'ok' : said.error.code)
  const flow = await example.runtime.open({ agent: 'refunds_bot', trigger: 'ticket' })
  assert.equal(codeOf(await retireKey(context, idOf('operator'))), 'KEY_OWN')
  const { seq } = await context.authorities.loadLatest()
  assert.equal(codeOf(await compromiseKey(context, idOf('operator'), seq + 1)), 'KEY_OWN')
  assert.equal(codeOf(await retireKey(context, idOf('kernel'))), 'ok')
  await assert.rejects(flow.propose(refund('20.00')), { code: 'KEY_UNREGISTERED' })
  assert.equal(example.calls(), 0)
  assert.equal(codeOf(await compromiseKey(context, idOf('issuer'), seq + 2)), 'ok')
  const more = await engine.open({ agent: 'refunds_bot', trigger: 'more' })
  assert.equal(codeOf(more), 'KEY_UNREGISTERED')
  // Another operator ended the key that is held here.
  const own = idOf('operator')
  const operators = createSeededSigner(encodeUtf8('other'), ['operator'])
  const other = { ...context, signer: operators }
  const core = { purpose: 'operator', subject: 'other' } as const
  const registration = { ...core, public_key: operators.publicKey('operator')?.public_key ?? '' }
  const body = buildKeyRegistration(context, registration)
  assert.ok(body.ok)
  const text = encodeUtf8(toCanonicalText(body.value as unknown as JsonValue))
  const signed = await operators.sign('operator', encodePreAuth(toPayloadType('key'), text))
  const possession = encodeBase64(signed)
  assert.ok((await registerKey(context, { ...registration, possession })).ok)
  assert.equal(codeOf(await retireKey(other, own)), 'ok')
  assert.equal(codeOf(await engine.people.meet('anna')), 'KEY_UNREGISTERED')
  await engine.checkpoint()
  const lines: string[] = []
  await exportLedger(context.store, (line) => void lines.push(line))
  assert.deepEqual(verifyAny(lines.join(''), nodeCrypto).findings, [])
  await example.close()
})

test('a deployed version is immutable; the same bytes again change nothing', async () => {
  const example = await exampleRuntime()
  const { engine } = example.runtime
  const before = (await engine.context.authorities.loadLatest()).seq
  await example.runtime.deploy(CONTRACT)
  assert.equal((await engine.context.authorities.loadLatest()).seq, before)
  await assert.rejects(example.runtime.deploy({ ...CONTRACT, mission: 'something else' }), {
    code: 'CONTRACT_VERSION_IMMUTABLE',
  })
  await example.close()
})

test('a new version serves new flows; one that revokes the previous stops the old ones', async () => {
  const example = await exampleRuntime()
  const old = await example.runtime.open({ agent: 'refunds_bot', trigger: 'old' })
  const permissions = {
    policy_kinds: ['REFUND'],
    limits: [{ id: 'a', kind: 'range', measure: 'amount', max: '5' }],
  }
  await example.runtime.deploy({ ...CONTRACT, version: '1.1.0', permissions })
  assert.equal((await old.propose(refund('20.00'))).outcome, 'ACCEPTED')
  const fresh = await example.runtime.open({ agent: 'refunds_bot', trigger: 'fresh' })
  assert.equal((await fresh.propose(refund('20.00'))).reason_code, 'LIMIT_EXCEEDED')
  await example.close()
})

test('a budget holds under concurrency: the eleventh call of ten is refused', async () => {
  const example = await exampleRuntime()
  const safety_rules = { budget_per_flow: { calls: '10' } }
  await example.runtime.deploy({ ...CONTRACT, version: '2.0.0', safety_rules })
  const flow = await example.runtime.open({ agent: 'refunds_bot', trigger: 'many', steps: 'many' })
  const answers = []
  for (let i = 0; i < 11; i++)
    answers.push(
      await flow.propose({
        policy_kind: 'REFUND',
        step_id: `s${i}`,
        params: { order: `o${i}`, amount: '1.00' },
      }),
    )
  assert.equal(answers.filter(({ outcome }) => outcome === 'ACCEPTED').length, 10)
  assert.equal(answers[10]?.reason_code, 'BUDGET_EXCEEDED')
  await example.close()
})

test('a full queue answers OVERLOADED and stores nothing', async () => {
  const full = new InFlight(0)
  assert.equal(full.enter(), false)
  const example = await exampleRuntime()
  const flow = await example.runtime.open({ agent: 'refunds_bot', trigger: 'ticket' })
  const { context } = example.runtime.engine
  const before = await example.runtime.store.countLeaves()
  for (let i = 0; i < LIMITS.proposalsInFlight; i++) assert.ok(context.inFlight.enter())
  const answer = await flow.propose(refund('20.00'))
  assert.equal(answer.reason_code, 'OVERLOADED')
  assert.equal(answer.feedback?.transient, true)
  assert.equal(await example.runtime.store.countLeaves(), before)
  for (let i = 0; i < LIMITS.proposalsInFlight; i++) context.inFlight.leave()
  assert.equal((await flow.propose(refund('20.00'))).outcome, 'ACCEPTED')
  await example.close()
})

test('a flow can be cancelled until dispatch, and not after', async () => {
  const example = await exampleRuntime()
  const flow = await example.runtime.open({ agent: 'refunds_bot', trigger: 'ticket' })
  await flow.cancel('changed my mind')
  assert.equal((await flow.propose(refund('20.00'))).reason_code, 'FLOW_NOT_OPEN')
  const done = await example.runtime.open({ agent: 'refunds_bot', trigger: 'ticket' })
  await done.propose(refund('20.00'))
  await assert.rejects(done.cancel('too late'), { code: 'FLOW_NOT_OPEN' })
  await example.close()
})

test('a writ issued by hand can be narrowed and used, and its budget comes out of its parent', async () => {
  const example = await exampleRuntime()
  const { context } = example.runtime.engine
  const parent = await issueWrit(context, { agent: 'refunds_bot' })
  assert.ok(parent.ok)
  const child = await attenuateStoredWrit(context, parent.value.id, {
    subject: 'refunds_bot',
    budget: { calls: '1' },
  })
  assert.ok(child.ok)
  assert.equal(await example.runtime.store.readCounter(`${parent.value.body.nonce}:calls`), 1)
  const flow = await example.runtime.open({
    agent: 'refunds_bot',
    trigger: 'ticket',
    steps: 'many',
  })
  const first = await flow.propose({ ...refund('20.00'), writ_id: child.value.id })
  assert.equal(first.outcome, 'ACCEPTED')
  const second = await flow.propose({
    ...refund('20.00'),
    step_id: 'again',
    writ_id: child.value.id,
  })
  assert.equal(second.reason_code, 'BUDGET_EXCEEDED')
  const unknown = await flow.propose({
    ...refund('1.00'),
    step_id: 'x',
    writ_id: `sha256:${'0'.repeat(64)}`,
  })
  assert.equal(unknown.reason_code, 'WRIT_MISSING')
  await example.close()
})

test('finding 30b: what a parent has left is not said to whoever asks it for more', async () => {
  const example = await exampleRuntime()
  const { context } = example.runtime.engine
  const safety_rules = { budget_per_flow: { calls: '10', usd: '1' } }
  await example.runtime.deploy({ ...CONTRACT, version: '2.0.0', safety_rules })
  const parent = await issueWrit(context, { agent: 'refunds_bot' })
  assert.ok(parent.ok)
  const narrow = (budget: Readonly<Record<string, string>>) =>
    attenuateStoredWrit(context, parent.value.id, { subject: 'refunds_bot', budget })
  assert.ok((await narrow({ calls: '1', usd: '0.75' })).ok)
  const refused = await narrow({ calls: '1', usd: '0.5' })
  assert.ok(!refused.ok)
  assert.equal(refused.error.code, 'BUDGET_EXCEEDED')
  assert.match(refused.error.summary, /usd: asked 0\.5, left 0\.25 of 1 USD$/)
  const flow = await example.runtime.open({ agent: 'refunds_bot', trigger: 'x', steps: 'many' })
  const child = { agent: 'refunds_bot', trigger: 'y', parent: flow.dfid }
  await example.runtime.open({ ...child, budget: { calls: '9' } })
  await assert.rejects(
    example.runtime.open({ ...child, budget: { calls: '2' } }),
    /calls: asked 2, left 1 of 10$/,
  )
  await example.close()
})

test('a writ narrowed by hand gives back what is left once it is revoked, and only once', async () => {
  const example = await exampleRuntime({ background: false })
  const { engine, store } = example.runtime
  const parent = await issueWrit(engine.context, { agent: 'refunds_bot' })
  assert.ok(parent.ok)
  const { id, body } = parent.value
  const narrow = { subject: 'refunds_bot', budget: { calls: '5' } }
  const child = await attenuateStoredWrit(engine.context, id, narrow)
  assert.ok(child.ok)
  const flow = await example.runtime.open({ agent: 'refunds_bot', trigger: 'x' })
  await flow.propose({ ...refund('1.00'), writ_id: child.value.id })
  const held = (): Promise<number> => store.readCounter(`${body.nonce}:calls`)
  await engine.reconcile()
  assert.equal(await held(), 5)
  await engine.revoke({ target: 'writ', id: child.value.id, reason: 'done with it' })
  await engine.reconcile()
  await engine.reconcile()
  assert.equal(await held(), 1)
  await engine.checkpoint()
  const lines: string[] = []
  await exportLedger(store, (line) => void lines.push(line))
  assert.deepEqual(verifyAny(lines.join(''), nodeCrypto).findings, [])
  await example.close()
})

test('a writ that many flows use at once gives no more than its budget', async () => {
  const example = await exampleRuntime()
  const { context } = example.runtime.engine
  const parent = await issueWrit(context, { agent: 'refunds_bot' })
  assert.ok(parent.ok)
  const child = await attenuateStoredWrit(context, parent.value.id, {
    subject: 'refunds_bot',
    budget: { calls: '5' },
  })
  assert.ok(child.ok)
  const writ_id = child.value.id
  const flows = await Promise.all(
    Array.from({ length: 20 }, () => example.runtime.open({ agent: 'refunds_bot', trigger: 'x' })),
  )
  const answers = await Promise.all(
    flows.map((flow) =>
      flow.propose({
        policy_kind: 'REFUND',
        params: { order: flow.dfid, amount: '1.00' },
        writ_id,
      }),
    ),
  )
  const outcomes = answers.map(({ outcome, reason_code }) => reason_code ?? outcome).sort()
  assert.deepEqual(
    outcomes,
    [...Array(5).fill('ACCEPTED'), ...Array(15).fill('BUDGET_EXCEEDED')].sort(),
  )
  assert.equal(example.calls(), 5)
  await example.close()
})

test('a key is registered with proof of possession, signs proposals, and stops counting when retired', async () => {
  const example = await exampleRuntime()
  const { context } = example.runtime.engine
  const { privateKey } = generateKeyPairSync('ed25519')
  const public_key = encodeBase64(toRawPublicKey(privateKey))
  const core = { purpose: 'agent', public_key, subject: 'refunds_bot' } as const
  const body = buildKeyRegistration(context, core)
  assert.ok(body.ok)
  const signed = (type: string, value: unknown): string => {
    const message = encodePreAuth(
      toPayloadType(type),
      encodeUtf8(toCanonicalText(value as JsonValue)),
    )
    return encodeBase64(new Uint8Array(sign(null, message, privateKey)))
  }
  const forged = await registerKey(context, { ...core, possession: signed('writ', body.value) })
  assert.equal(forged.ok ? '' : forged.error.code, 'KEY_POSSESSION')
  const registered = await registerKey(context, { ...core, possession: signed('key', body.value) })
  assert.ok(registered.ok)

  const propose = async (tamper: boolean): Promise<string> => {
    const flow = await example.runtime.open({ agent: 'refunds_bot', trigger: 'signed' })
    const { snapshot_id, mission_context_hash } = flow.context
    const proposal = {
      dfid: flow.dfid,
      agent_id: 'refunds_bot',
      context_ref: snapshot_id,
      mission_context_hash,
      policy_kind: 'REFUND',
      params: { order: flow.dfid, amount: '20.00' },
    }
    const signature = { key_id: body.value.key_id, sig: signed('proposal', proposal) }
    const sent = tamper ? { ...proposal, params: { order: 'x', amount: '21.00' } } : proposal
    const answer = await flow.propose({ ...sent, signature })
    return answer.reason_code ?? answer.outcome
  }
  assert.equal(await propose(false), 'ACCEPTED')
  assert.equal(await propose(true), 'PROPOSAL_SIGNATURE_INVALID')
  await retireKey(context, body.value.key_id)
  assert.equal(await propose(false), 'PROPOSAL_SIGNATURE_INVALID')
  const { engine } = example.runtime
  const over = { to: 'RETIRED', actor: 'operator', justification: 'over' } as const
  assert.ok((await engine.moveAgent({ agent_id: 'refunds_bot', ...over })).ok)
  const late = generateKeyPairSync('ed25519').privateKey
  const more = { ...core, public_key: encodeBase64(toRawPublicKey(late)) }
  const words = buildKeyRegistration(context, more)
  assert.ok(words.ok)
  const told = encodeUtf8(toCanonicalText(words.value as unknown as JsonValue))
  const possession = encodeBase64(sign(null, encodePreAuth(toPayloadType('key'), told), late))
  const refused = await registerKey(context, { ...more, possession })
  assert.equal(refused.ok ? '' : refused.error.code, 'AGENT_RETIRED')
  await example.close()
})
