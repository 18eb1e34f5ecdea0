/** Forged by whoever holds the kernel's key: hashes, chains and signatures hold, and what was done is lawless. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Address,
  computeAddress,
  type IntentBody,
  type JsonObject,
  type WritBody,
} from 'rubicon-kernel'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import { places, verifyTwice } from '../samples/agreement.test-support.ts'
import { LedgerBuilder } from '../samples/ledger-builder.test-support.ts'
import {
  asks,
  BOT,
  DECIDED,
  found as foundWithApproval,
  ledger,
  ORDER,
  OTHER,
  RAN,
  READ,
  REQUESTED,
} from '../samples/sample-approvals.test-support.ts'
import { accept, carryOut, learn, settle } from '../samples/sample-executors.test-support.ts'
import { sampleKey } from '../samples/sample-keys.test-support.ts'
import {
  AGENT,
  bootstrap,
  commit,
  contract,
  DEPLOY,
  DFID,
  decide,
  dispatch,
  grant,
  OWNER,
  sampleDelta,
  secondsAfter,
  worldAfter,
  writBody,
} from '../samples/sample-ledger.test-support.ts'

const { sha256 } = nodeCrypto

type Begun = { readonly builder: LedgerBuilder; readonly writId: Address }

/** A flow of the agent, at leaf 10; whatever comes next stands at leaf 11. */
function begun(change: Partial<WritBody> = {}): Begun {
  const builder = new LedgerBuilder()
  bootstrap(builder)
  builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  return { builder, writId: grant(builder, writBody(builder, change)) }
}

async function found({ builder }: Pick<Begun, 'builder'>): Promise<string[]> {
  return places(await verifyTwice(builder.text()))
}

const NOTHING = { world_after: worldAfter([sampleDelta]) }

test('finding 16a: one step is done twice, with other parameters', async () => {
  const it = begun()
  commit(it.builder, dispatch(it.builder, it.writId).intent)
  const again = dispatch(it.builder, it.writId, { params: { quantity: '150' } })
  commit(it.builder, again.intent, [], NOTHING)
  assert.deepEqual(await found(it), ['13 AUTHORITY_ORDER'])
  const next = begun()
  commit(next.builder, dispatch(next.builder, next.writId).intent)
  dispatch(next.builder, next.writId, { step_id: 'step-2' })
  assert.deepEqual(await found(next), [])
})

test('finding 16a: only what was given back unsent leaves its step to another', async () => {
  const it = begun()
  settle(it.builder, accept(it.builder, it.writId).intent, 'ABANDONED')
  dispatch(it.builder, it.writId, { params: { quantity: '2' } })
  assert.deepEqual(await found(it), [])
  const failed = begun()
  settle(failed.builder, dispatch(failed.builder, failed.writId).intent, 'FAILED')
  dispatch(failed.builder, failed.writId, { params: { quantity: '2' } })
  assert.deepEqual(await found(failed), ['13 AUTHORITY_ORDER'])
})

test('finding 16b: FAILED, committed, and FAILED once more', async () => {
  const it = begun()
  const { intent } = dispatch(it.builder, it.writId)
  settle(it.builder, intent, 'FAILED')
  assert.deepEqual(await found(it), [])
  commit(it.builder, intent)
  settle(it.builder, intent, 'FAILED')
  assert.deepEqual(await found(it), ['13 AUTHORITY_ORDER', '14 AUTHORITY_ORDER'])
})

type Said = (builder: LedgerBuilder, intent: JsonObject) => void

test('finding 16b: what nobody knows is left only with evidence', async () => {
  const says =
    (status: string, source = '', finding = ''): Said =>
    (builder, intent) => {
      if (source !== '') learn(builder, intent, source, finding)
      if (status === 'SUCCESS') commit(builder, intent)
      else settle(builder, intent, status)
    }
  const UNKNOWN = says('UNKNOWN')
  const REVIEW = says('MANUAL_REVIEW')
  const lawful: readonly (readonly Said[])[] = [
    [UNKNOWN, says('SUCCESS', 'probe', 'applied')],
    [UNKNOWN, says('NOT_APPLIED', 'probe', 'absent'), says('FAILED')],
    [UNKNOWN, REVIEW, says('SUCCESS', 'person', 'applied')],
    [REVIEW, says('ABANDONED', 'person', 'inconclusive')],
  ]
  const lawless: readonly (readonly Said[])[] = [
    [UNKNOWN, says('SUCCESS')],
    [UNKNOWN, says('FAILED', 'probe', 'applied')],
    [REVIEW, says('SUCCESS', 'probe', 'applied')],
    [REVIEW, says('FAILED', 'person', 'applied')],
    [says('ABANDONED')],
    [says('NOT_APPLIED'), says('SUCCESS')],
  ]
  for (const [lines, isLawful] of [
    [lawful, true],
    [lawless, false],
  ] as const)
    for (const line of lines) {
      const it = begun()
      const { intent } = dispatch(it.builder, it.writId)
      for (const say of line) say(it.builder, intent)
      const last = `${it.builder.entries.length - 1} AUTHORITY_ORDER`
      assert.deepEqual(await found(it), isLawful ? [] : [last])
    }
})

/** Dispatched with something changed, at leaf 11. */
async function dispatchedWith(change: Partial<IntentBody>): Promise<string[]> {
  const it = begun()
  dispatch(it.builder, it.writId, change)
  return found(it)
}

test('finding 16c: a kind that neither contract nor writ grants', async () => {
  assert.deepEqual(await dispatchedWith({ policy_kind: 'COMPENSATE' }), [])
  for (const kinds of [{ contract: ['BUY'] }, { writ: ['BUY'] }]) {
    const builder = new LedgerBuilder()
    bootstrap(builder)
    builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
    const { permissions } = contract
    const policy_kinds = kinds.contract ?? permissions.policy_kinds
    const narrow = { ...contract, version: '2.0.0', permissions: { ...permissions, policy_kinds } }
    const contract_hash = computeAddress('contract', narrow, sha256)
    builder.decree('contract', { ...DEPLOY, contract: narrow, contract_hash })
    const scopes = kinds.writ?.map((kind) => ({ kind }))
    const body = writBody(builder, scopes === undefined ? {} : { scopes })
    const writId = grant(builder, body, { contract: { hash: contract_hash, seq: 9 } })
    dispatch(builder, writId, { contract_hash, policy_kind: 'COMPENSATE' })
    assert.deepEqual(await found({ builder }), ['12 AUTHORITY_ORDER'], JSON.stringify(kinds))
  }
})

test('finding 16c: a cost above the budget, at once or in the sum', async () => {
  assert.deepEqual(await dispatchedWith({ cost: { calls: '10' } }), [])
  assert.deepEqual(await dispatchedWith({ cost: { calls: '11' } }), ['11 AUTHORITY_ORDER'])
  assert.deepEqual(await dispatchedWith({ cost: { calls: '1', usd: '1' } }), ['11 AUTHORITY_ORDER'])
  assert.deepEqual(await dispatchedWith({ cost: {} }), ['11 AUTHORITY_ORDER'], 'a call costs one')
  const it = begun()
  const first = dispatch(it.builder, it.writId, { cost: { calls: '6' } })
  settle(it.builder, first.intent, 'FAILED')
  const second = dispatch(it.builder, it.writId, { step_id: 'b', cost: { calls: '6' } })
  commit(it.builder, second.intent, [], { cost: { calls: '4' }, world_after: worldAfter([]) })
  dispatch(it.builder, it.writId, { step_id: 'c', cost: { calls: '6' } })
  assert.deepEqual(await found(it), [], 'what was not spent went back')
  dispatch(it.builder, it.writId, { step_id: 'd' })
  assert.deepEqual(await found(it), ['16 AUTHORITY_ORDER'])
})

const CHILD = '019c1200-0000-7000-8000-00000000000c'

test('finding 16c: a child holds its budget of its parent, and gives back once what it has left', async () => {
  const builder = new LedgerBuilder()
  bootstrap(builder)
  builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  const parent = grant(builder, writBody(builder, { subject_key: builder.issuer.id }))
  const delegation = { max_depth: 0, may_delegate: false }
  const body = writBody(builder, { nonce: CHILD, parent, delegation, budget: { calls: '9' } })
  const child = grant(builder, body, { dfid: CHILD, parent_dfid: DFID })
  dispatch(builder, parent)
  assert.deepEqual(await found({ builder }), [])
  const returns = (calls: string): void => {
    const names = { child_dfid: CHILD, child_agent: AGENT, child_trajectory: 'main' }
    const payload = { salt: '', parent_dfid: DFID, ...names, writ_id: child, returned: { calls } }
    builder.append('main', 'delegation', payload, { dfid: DFID })
  }
  returns('9')
  dispatch(builder, parent, { step_id: 'step-2', cost: { calls: '9' } })
  assert.deepEqual(await found({ builder }), [])
  returns('1')
  dispatch(builder, parent, { step_id: 'step-3', cost: { calls: '2' } })
  assert.deepEqual(await found({ builder }), ['16 AUTHORITY_ORDER', '17 AUTHORITY_ORDER'])
})

test('finding 16d: a dispatch after its deadline, also of what was accepted before', async () => {
  const at = '2026-02-01T09:00:12.000Z'
  assert.deepEqual(await dispatchedWith({ dispatch_before: '2026-02-01T09:00:12.001Z' }), [])
  assert.deepEqual(await dispatchedWith({ dispatch_before: at }), ['11 AUTHORITY_ORDER'])
  const it = begun()
  const waiting = accept(it.builder, it.writId, { dispatch_before: at })
  assert.deepEqual(await found(it), [])
  carryOut(it.builder, waiting)
  assert.deepEqual(await found(it), ['12 AUTHORITY_ORDER'])
})

test('finding 16d: a deadline that is later than thirty seconds, the proposal or the writ allow', async () => {
  const { builder, writId } = begun()
  const staged_at = builder.now()
  const dispatch_before = secondsAfter(staged_at, 31)
  assert.deepEqual(await dispatchedWith({ dispatch_before }), ['11 AUTHORITY_ORDER'])
  const valid_until = secondsAfter(staged_at, 29)
  const { record } = decide(builder, writId, {}, { proposal: { valid_until } })
  sends(builder, record)
  assert.deepEqual(await found({ builder }), ['11 AUTHORITY_ORDER'])
})

function sends(builder: LedgerBuilder, record: JsonObject): void {
  const place = { dfid: DFID, authority_seq: builder.authoritySeq() }
  builder.append('main', 'dispatch', { ...record, send: 1 }, place)
}

test('finding 16e: an intent that is not what was proposed', async () => {
  const proposals: readonly JsonObject[] = [
    { params: { quantity: '1.50' } },
    { policy_kind: 'SELL' },
    { step_id: 'step-9' },
    { agent_id: 'agent-2' },
    { execution_constraints: { max_quantity: '1' } },
    { context_ref: 'snapshot-0' },
    { writ_id: OTHER },
  ]
  for (const proposal of proposals) {
    const { builder, writId } = begun()
    sends(builder, decide(builder, writId, { params: { quantity: '1.5' } }, { proposal }).record)
    assert.deepEqual(await found({ builder }), ['11 AUTHORITY_ORDER'], JSON.stringify(proposal))
  }
})

test('finding 16e: an intent that is not made from the facts beside it', async () => {
  for (const change of [
    { now: '2026-02-01T09:00:00.000Z' },
    { rules_hash: OTHER },
    { attempt: 2 },
  ]) {
    const { builder, writId } = begun()
    const { record } = decide(builder, writId)
    const facts = { ...(record.facts as JsonObject), ...change }
    const facts_hash = computeAddress('facts', facts, sha256)
    const { intent_id: _, kernel_signature: __, ...body } = record.intent as JsonObject
    const unsigned: JsonObject = { ...body, facts_hash }
    const named = { ...unsigned, intent_id: computeAddress('intent', unsigned, sha256) }
    const intent = { ...named, kernel_signature: { ...builder.kernel.sign('intent', named) } }
    sends(builder, { ...record, facts, facts_hash, intent })
    assert.deepEqual(await found({ builder }), ['11 AUTHORITY_ORDER'], JSON.stringify(change))
  }
})

test('finding 16f: a proposal that its agent did not sign so', async () => {
  const signed = { kind: 'signature', signature: worth(true) } as const
  const said = async (more: Parameters<typeof decide>[3]): Promise<string[]> => {
    const builder = new LedgerBuilder()
    bootstrap(builder)
    builder.addKey(BOT)
    builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
    const writId = grant(builder, writBody(builder))
    sends(builder, decide(builder, writId, {}, more).record)
    return found({ builder })
  }
  assert.deepEqual(await said({ auth: signed, signer: BOT }), [])
  assert.deepEqual(await said({ auth: signed }), ['12 ENTRY_SIGNATURE'], 'there is no signature')
  const forged = { ...sampleKey('agent', 'forger'), id: BOT.id }
  const signer = {
    ...forged,
    sign: (type: string, body: JsonObject) => ({ ...forged.sign(type, body), key_id: BOT.id }),
  }
  assert.deepEqual(await said({ auth: signed, signer: signer as typeof BOT }), [
    '12 ENTRY_SIGNATURE',
  ])
  const session = { kind: 'session', agent_id: AGENT, key: null } as const
  assert.deepEqual(await said({ auth: session, signer: BOT }), ['12 ENTRY_SIGNATURE'])
  const another = { kind: 'session', agent_id: 'agent-2', key: null } as const
  assert.deepEqual(await said({ auth: another }), ['12 ENTRY_SIGNATURE'])
})

function worth(valid: boolean) {
  return { key_id: BOT.id, purpose: 'agent', subject: AGENT, valid } as const
}

test('finding 16g: an idempotency key or a fingerprint that is not that of the step', async () => {
  const hash = '0'.repeat(64)
  assert.deepEqual(await dispatchedWith({ idempotency_key: hash }), ['11 ENTRY_SIGNATURE'])
  assert.deepEqual(await dispatchedWith({ params_fingerprint: hash }), ['11 ENTRY_SIGNATURE'])
})

test('finding 16h: others are asked than the contract of the flow names', async () => {
  const { builder } = ledger({ approval: null, trace: [] })
  const approvers = { needs: 1, of: ['ann@example.com'] }
  const persons = { owner: OWNER, approvers: ['p_ann'] }
  const { safety_rules } = contract
  const next = { ...contract, version: '9.0.0', safety_rules: { ...safety_rules, approvers } }
  const contract_hash = computeAddress('contract', next, sha256)
  builder.decree('contract', { ...DEPLOY, persons, contract: next, contract_hash })
  asks(builder, OTHER, { id: `${DFID}:2`, persons, approvers: approvers.of })
  assert.deepEqual(await found({ builder }), [ORDER(RAN + 2)], 'it is another version')
})

test('finding 16i: what is HIGH_IMPACT is called LOW_IMPACT, so that the owner may approve it', async () => {
  const said = { asked: INSIDE, ran: INSIDE, body: { person: OWNER } }
  for (const change of [{ risk: 'high' }, { exposure: { measure: 'usd', threshold: '1' } }]) {
    const request = { impact: 'LOW_IMPACT', impact_reasons: [] }
    const { builder } = ledger({ ...said, request, capability: change })
    assert.deepEqual(await found({ builder }), [ORDER(REQUESTED + 1)], JSON.stringify(change))
  }
  const { builder } = ledger(said)
  assert.deepEqual(await found({ builder }), [], 'LOW_IMPACT is theirs to approve')
})

const INSIDE = { kind: 'session', agent_id: AGENT, key: null } as const

test('finding 16j: nobody had the time to read what is HIGH_IMPACT', async () => {
  const high = { impact: 'HIGH_IMPACT', impact_reasons: ['risk_high'] } as const
  const body = { acknowledged_impact: 'HIGH_IMPACT' } as const
  const asked = (not_before: string): Promise<string[]> =>
    foundWithApproval({ request: { ...high, not_before }, body })
  assert.deepEqual(await asked(READ), [])
  assert.deepEqual(await asked(secondsAfter(READ, -1)), [ORDER(REQUESTED)])
  assert.deepEqual(await asked(secondsAfter(READ, 60)), [ORDER(DECIDED)], 'nor waited for it')
})

test('AUTHORITY_ORDER: a flow that was refused for the last time, or cancelled, decides and sends nothing', async () => {
  const refused = { attempt: 2, received: 'cd', trace: [], stage: 'parser', gate: null }
  const ends = {
    rejection: { ...refused, reason_code: 'JSON_SYNTAX', ended_flow: 'REJECTED' },
    settle: { status: 'ABANDONED', reason_code: 'FLOW_CANCELLED' },
  }
  for (const kind of ['rejection', 'settle'] as const) {
    const it = begun()
    const waiting = accept(it.builder, it.writId)
    const other = accept(it.builder, it.writId, { step_id: 'step-2' })
    const about = kind === 'settle' ? { intent_id: other.intent.intent_id ?? null } : {}
    const payload = { salt: 'c2FsdA==', details: {}, ...ends[kind], ...about }
    it.builder.append('main', kind, payload, { dfid: DFID })
    assert.deepEqual(await found(it), [], kind)
    carryOut(it.builder, waiting)
    dispatch(it.builder, it.writId, { step_id: 'step-3' })
    assert.deepEqual(await found(it), ['14 AUTHORITY_ORDER', '15 AUTHORITY_ORDER'], kind)
  }
})

test('AUTHORITY_ORDER: what an agent says of its reasoning is spent, and then nothing is decided', async () => {
  const it = begun({ budget: { calls: '10', tokens: '5' } })
  const says = (tokens: string): void => {
    const named = { salt: 'c2FsdA==', writ_id: it.writId, source: 'agent' }
    it.builder.append('main', 'evidence', { ...named, used: { tokens } }, { dfid: DFID })
  }
  says('5')
  dispatch(it.builder, it.writId)
  assert.deepEqual(await found(it), [])
  says('1')
  dispatch(it.builder, it.writId, { step_id: 'step-2' })
  assert.deepEqual(await found(it), ['14 AUTHORITY_ORDER'])
})

test('AUTHORITY_ORDER: what a model was asked for is spent, and then nothing is decided', async () => {
  const it = begun({ budget: { calls: '10', tokens: '5' } })
  const asks = (generation_id: string, tokens: string): void => {
    const named = { salt: 'c2FsdA==', writ_id: it.writId, source: 'model', generation_id }
    const asked = { provider: 'local', model: 'small', request_hash: `sha256:${'0'.repeat(64)}` }
    const failed = { finding: 'failed', reason_code: 'MODEL_TIMEOUT', charged: true }
    const payload = { ...named, ...asked, ...failed, used: { tokens } }
    it.builder.append('main', 'evidence', payload, { dfid: DFID })
  }
  asks('g_1', '5')
  dispatch(it.builder, it.writId)
  assert.deepEqual(await found(it), [])
  asks('g_2', '1')
  dispatch(it.builder, it.writId, { step_id: 'step-2' })
  assert.deepEqual(await found(it), ['14 AUTHORITY_ORDER'])
})
