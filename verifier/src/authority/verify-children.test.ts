import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Address,
  type Contract,
  computeAddress,
  type JsonObject,
  type WritBody,
} from 'rubicon-kernel'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import type { ReadEntry } from '../reading/read-entry.ts'
import { places, verifyTwice } from '../samples/agreement.test-support.ts'
import { LedgerBuilder } from '../samples/ledger-builder.test-support.ts'
import { accept, carryOut } from '../samples/sample-executors.test-support.ts'
import {
  AGENT,
  bootstrap,
  contract,
  contractHash,
  DEPLOY,
  DFID,
  dispatch,
  grant,
  move,
  revoke,
  writBody,
} from '../samples/sample-ledger.test-support.ts'
import { createChildren } from './verify-children.ts'

const CHILD = '019c1200-0000-7000-8000-00000000000c'
const SPAWN = { step_id: 'spawn', policy_kind: 'SPAWN_CHILD', params: { agent: 'helper' } }

const HELPER: Contract = { ...contract, agent_id: 'helper' }
const helperHash: Address = computeAddress('contract', HELPER, nodeCrypto.sha256)

type Stage = { readonly builder: LedgerBuilder; readonly writId: Address }

/** The flow of AGENT, whose writ grants these kinds. */
function stage(...kinds: readonly string[]): Stage {
  const builder = new LedgerBuilder()
  bootstrap(builder)
  builder.decree('contract', { ...DEPLOY, contract: HELPER, contract_hash: helperHash })
  move(builder, null, 'INITIALIZING', 'operator', 'helper')
  move(builder, 'INITIALIZING', 'ACTIVE', 'registry', 'helper')
  builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  const scopes = kinds.map((kind) => ({ kind }))
  return {
    builder,
    writId: grant(builder, { ...writBody(builder), scopes, ...DELEGATES(builder) }),
  }
}

const DELEGATES = ({ issuer }: LedgerBuilder): Partial<WritBody> => ({ subject_key: issuer.id })

type Opening = {
  /** What the flow above says instead. */
  readonly told?: JsonObject
  readonly dfid?: string
  readonly agent?: string
  readonly from?: Address
  readonly below?: string | undefined
  readonly opened_by?: JsonObject
  readonly stands?: string
}

/** A child: its opening, and the entry in the flow above. */
function open({ builder, writId }: Stage, opening: Opening = {}): void {
  const { dfid = CHILD, agent = 'helper', from = writId, stands = DFID } = opening
  const below = 'below' in opening ? opening.below : DFID
  const body = writBody(builder, {
    subject: agent,
    nonce: dfid,
    parent: from,
    scopes: [{ kind: 'BUY' }],
    budget: { calls: '4' },
    delegation: { max_depth: 0, may_delegate: false },
  })
  const id = computeAddress('writ', body, nodeCrypto.sha256)
  const writ = { id, body, signature: { ...builder.issuer.sign('writ', body) } }
  const flow = {
    dfid,
    agent_id: agent,
    trigger: 'part',
    steps: 'one',
    contract: agent === AGENT ? { hash: contractHash, seq: 6 } : { hash: helperHash, seq: 9 },
    snapshot: {},
    snapshot_id: 'snapshot-1',
    ...(below === undefined ? {} : { parent_dfid: below }),
  }
  builder.append('main', 'writ', { salt: 'c2FsdA==', writ, flow }, { dfid })
  const delegation = {
    salt: 'c2FsdA==',
    parent_dfid: DFID,
    child_dfid: dfid,
    child_agent: agent,
    child_trajectory: 'main',
    writ_id: id,
    opened_by: opening.opened_by ?? { kind: 'runtime' },
    ...opening.told,
  }
  builder.append('main', 'delegation', delegation, { dfid: stands })
}

async function found({ builder }: Stage): Promise<readonly string[]> {
  return places(await verifyTwice(builder.text()))
}

test('a child of the same agent, or below a flow that may spawn, verifies', async () => {
  const own = stage('BUY')
  open(own, { agent: AGENT, opened_by: { kind: 'session' } })
  assert.deepEqual(await found(own), [])
  const owner = stage('BUY', 'SPAWN_*')
  open(owner)
  assert.deepEqual(await found(owner), [])
  const spawned = stage('BUY', 'SPAWN_CHILD')
  const { intent } = dispatch(spawned.builder, spawned.writId, SPAWN)
  open(spawned, { opened_by: { kind: 'intent', intent_id: intent.intent_id ?? '' } })
  assert.deepEqual(await found(spawned), [])
  const elsewhere = stage('BUY', 'SPAWN_CHILD')
  const accepted = accept(elsewhere.builder, elsewhere.writId, SPAWN)
  carryOut(elsewhere.builder, accepted)
  open(elsewhere, { opened_by: { kind: 'intent', intent_id: accepted.intent.intent_id ?? '' } })
  assert.deepEqual(await found(elsewhere), [])
})

test('AUTHORITY_ORDER: a child below a flow of another agent, which may spawn nobody', async () => {
  const foreign = stage('BUY')
  open(foreign)
  assert.deepEqual(await found(foreign), ['14 AUTHORITY_ORDER'])
  const session = stage('BUY', 'SPAWN_CHILD')
  open(session, { opened_by: { kind: 'session' } })
  assert.deepEqual(await found(session), ['15 AUTHORITY_ORDER'])
})

test('AUTHORITY_ORDER: a child that no step of its parent spawned', async () => {
  const named = (it: Stage, opened_by: JsonObject): Promise<readonly string[]> => {
    open(it, { opened_by })
    return found(it)
  }
  const hash = `sha256:${'0'.repeat(64)}`
  const nothing = stage('BUY', 'SPAWN_CHILD')
  assert.deepEqual(await named(nothing, { kind: 'intent', intent_id: hash }), [
    '15 AUTHORITY_ORDER',
  ])
  const other = stage('BUY', 'SPAWN_CHILD')
  const params = { agent: 'another' }
  const { intent } = dispatch(other.builder, other.writId, { ...SPAWN, params })
  assert.deepEqual(await named(other, { kind: 'intent', intent_id: intent.intent_id ?? '' }), [
    '16 AUTHORITY_ORDER',
  ])
  const unsent = stage('BUY', 'SPAWN_CHILD')
  const accepted = accept(unsent.builder, unsent.writId, SPAWN)
  const by = { kind: 'intent', intent_id: accepted.intent.intent_id ?? '' }
  assert.deepEqual(await named(unsent, by), ['16 AUTHORITY_ORDER'])
})

test('AUTHORITY_ORDER: a second child that the same step spawned', async () => {
  const it = stage('BUY', 'SPAWN_CHILD')
  const { intent } = dispatch(it.builder, it.writId, SPAWN)
  const opened_by = { kind: 'intent', intent_id: intent.intent_id ?? '' }
  open(it, { opened_by })
  open(it, { opened_by, dfid: CHILD.replace('c', 'd') })
  assert.deepEqual(await found(it), ['18 AUTHORITY_ORDER'])
})

test('AUTHORITY_ORDER: a child that spends from another flow, or is told of in one', async () => {
  const nobody = stage('BUY')
  open(nobody, { agent: AGENT, below: undefined })
  assert.deepEqual(await found(nobody), ['14 AUTHORITY_ORDER'])
  const nowhere = stage('BUY')
  open(nowhere, { agent: AGENT, below: CHILD.replace('c', 'd') })
  assert.deepEqual(await found(nowhere), ['14 AUTHORITY_ORDER'])
  const elsewhere = stage('BUY')
  open(elsewhere, { agent: AGENT, stands: CHILD })
  assert.deepEqual(await found(elsewhere), ['14 AUTHORITY_ORDER', '15 AUTHORITY_ORDER'])
})

test('AUTHORITY_ORDER: a child of which the flow above says nothing, or something else', async () => {
  const hash = `sha256:${'0'.repeat(64)}`
  for (const change of [{ child_dfid: DFID }, { child_agent: 'another' }, { writ_id: hash }]) {
    const it = stage('BUY')
    open(it, { agent: AGENT, told: change })
    const [name] = Object.keys(change)
    assert.deepEqual(await found(it), ['14 AUTHORITY_ORDER'], name)
  }
  const silent = stage('BUY')
  open(silent, { agent: AGENT })
  assert.deepEqual(await found(silent), [])
  silent.builder.entries.pop()
  assert.deepEqual(await found(silent), ['14 AUTHORITY_ORDER'])
})

test('AUTHORITY_ORDER: a child below a flow whose writ cannot be read, which is not as if it were erased', async () => {
  const it = stage('BUY')
  const above = CHILD.replace('c', 'd')
  it.builder.append('main', 'writ', { salt: 'c2FsdA==', writ: {} }, { dfid: above })
  open(it, { agent: AGENT, below: above })
  const seen = await found(it)
  assert.deepEqual(new Set(seen), new Set(['14 ENTRY_UNREADABLE', '15 AUTHORITY_ORDER']))
})

test('ENTRY_UNREADABLE: a delegation that does not say who opened the child', async () => {
  for (const opened_by of [{ kind: 'nobody' }, { kind: 'intent' }, { kind: 'session', more: 1 }]) {
    const it = stage('BUY')
    open(it, { agent: AGENT, opened_by })
    const seen = await found(it)
    assert.deepEqual(seen, ['14 AUTHORITY_ORDER', '15 ENTRY_UNREADABLE'], opened_by.kind)
  }
})

test('AUTHORITY_ORDER: a flow goes on after its own writ is revoked, on a writ that it only names', async () => {
  const { builder, writId } = stage('BUY')
  const body = writBody(builder, { nonce: CHILD })
  const id = computeAddress('writ', body, nodeCrypto.sha256)
  const writ = { id, body, signature: { ...builder.issuer.sign('writ', body) } }
  builder.append('main', 'writ', { salt: 'c2FsdA==', writ })
  dispatch(builder, id)
  assert.deepEqual(await found({ builder, writId }), [])
  revoke(builder, 'writ', writId)
  dispatch(builder, id, { step_id: 'step-2' })
  assert.deepEqual(await found({ builder, writId }), ['17 AUTHORITY_ORDER'])
})

test('of a child below a flow that is not there, what the flow above says of it is believed', async () => {
  const it = stage('BUY')
  const parent_dfid = CHILD.replace('c', 'd')
  const names = { child_dfid: CHILD, child_agent: AGENT, child_trajectory: 'main' }
  const opened_by = { kind: 'session' }
  const payload = { salt: 'c2FsdA==', parent_dfid, ...names, writ_id: it.writId, opened_by }
  it.builder.append('main', 'delegation', payload, { dfid: parent_dfid })
  assert.deepEqual(await found(it), [])
})

test('only a flow whose opening was erased is taken for one that may have been there', () => {
  const above = CHILD.replace('c', 'd')
  const isBelow = (kind: string, payloadText: string | null): readonly string[] => {
    const authority = { flows: new Map(), writs: new Map(), whole: true }
    const children = createChildren(authority as unknown as Parameters<typeof createChildren>[0])
    const envelope = { kind, dfid: above, trajectory: 'main', seq: 1 }
    children.check({ envelope, payload: null, payloadText } as unknown as ReadEntry)
    const flow = { dfid: CHILD, agent_id: AGENT, parent_dfid: above }
    const payload = { kind: 'writ', payload: { flow, writ: { id: '', body: { parent: 'w' } } } }
    return children.check({ envelope, payload, payloadText: '' } as unknown as ReadEntry)
  }
  assert.deepEqual(isBelow('writ', null), [])
  assert.deepEqual(isBelow('writ', '{}'), ['its parent flow is not in the ledger'])
  assert.deepEqual(isBelow('dispatch', null), ['its parent flow is not in the ledger'])
})

test('what is wrong with a child is said of it in words, and nothing else is', async () => {
  const hash = `sha256:${'0'.repeat(64)}`
  const other = CHILD.replace('c', 'd')
  const untold = '14: its parent flow has no record that it was opened'
  const told = async (it: Stage, opening: Opening): Promise<readonly string[]> => {
    open(it, opening)
    const { findings } = await verifyTwice(it.builder.text())
    const ordered = findings.filter(({ code }) => code === 'AUTHORITY_ORDER')
    return ordered.map(({ leaf, detail }) => `${leaf}: ${detail}`)
  }
  const own = { agent: AGENT }
  assert.deepEqual(await told(stage('BUY'), {}), ['14: its parent flow belongs to another agent'])
  assert.deepEqual(await told(stage('SPAWN_CHILD', 'BUY'), { opened_by: { kind: 'session' } }), [
    '15: a session opened it below a flow of another agent',
  ])
  assert.deepEqual(await told(stage('BUY'), { ...own, below: undefined }), [
    '14: a flow without a parent has the writ of a child',
  ])
  assert.deepEqual((await told(stage('BUY'), { ...own, below: other })).slice(0, 1), [
    '14: its parent flow is not in the ledger',
  ])
  assert.deepEqual(await told(stage('BUY'), { ...own, stands: CHILD }), [
    untold,
    '15: it is recorded in another flow than the parent',
  ])
  for (const change of [{ child_agent: 'another' }, { writ_id: hash }])
    assert.deepEqual(await told(stage('BUY'), { ...own, told: change }), [untold])
  const { builder, writId } = stage('BUY')
  const from = grant(builder, writBody(builder, { nonce: other, subject_key: builder.issuer.id }), {
    dfid: other,
  })
  const [made] = await told({ builder, writId }, { ...own, from })
  assert.equal(made, '15: its writ is not made from that of its parent')
})

test('what is wrong with the step that opened a child is said in words', async () => {
  const opens = async (
    spawn: (it: Stage) => JsonObject,
    { agent = 'helper' }: Opening = {},
  ): Promise<readonly string[]> => {
    const it = stage('BUY', 'SPAWN_CHILD')
    const { intent_id = '' } = spawn(it)
    open(it, { agent, opened_by: { kind: 'intent', intent_id } })
    const { findings } = await verifyTwice(it.builder.text())
    return findings.map(({ detail }) => detail)
  }
  const not = 'the step that it names did not open it'
  const absent = 'the step that opened it is not in the ledger'
  const send = ({ builder, writId }: Stage, change: JsonObject = {}): JsonObject =>
    dispatch(builder, writId, { ...SPAWN, ...change }).intent
  assert.deepEqual(await opens(send), [])
  assert.deepEqual(await opens((it) => send(it, { params: { agent: 'another' } })), [not])
  assert.deepEqual(await opens((it) => send(it, { policy_kind: 'BUY' })), [absent])
  assert.deepEqual(await opens(() => ({ intent_id: `sha256:${'0'.repeat(64)}` })), [absent])
  assert.deepEqual(await opens((it) => accept(it.builder, it.writId, SPAWN).intent), [not])
  assert.deepEqual(
    await opens((it) => {
      const waiting = accept(it.builder, it.writId, SPAWN)
      carryOut(it.builder, waiting)
      return waiting.intent
    }),
    [],
  )
  const twice = stage('BUY', 'SPAWN_CHILD')
  const { intent_id = '' } = send(twice)
  for (const dfid of [CHILD, CHILD.replace('c', 'd')])
    open(twice, { dfid, opened_by: { kind: 'intent', intent_id } })
  const { findings } = await verifyTwice(twice.builder.text())
  assert.deepEqual(
    findings.map(({ detail }) => detail),
    ['the step that opened it had opened another flow before'],
  )
})
