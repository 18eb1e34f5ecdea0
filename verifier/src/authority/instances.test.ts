/** Instances in a ledger: who may make one, out of what, and what stops it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Address,
  type Contract,
  computeAddress,
  type IntentBody,
  type JsonObject,
} from 'rubicon-kernel'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import { codes, verifyTwice } from '../samples/agreement.test-support.ts'
import { eraseFlow } from '../samples/erase-flow.test-support.ts'
import { LedgerBuilder } from '../samples/ledger-builder.test-support.ts'
import { oracleReport, oracleSkip } from '../samples/oracle.test-support.ts'
import {
  AGENT,
  bootstrap,
  contract,
  DEPLOY,
  DFID,
  dispatch,
  grant,
  revoke,
  move as stop,
  writBody,
} from '../samples/sample-ledger.test-support.ts'
import { verifyAny } from '../verify-any.ts'
import {
  found,
  INSTANCE,
  own,
  SPAWNED,
  type Spawn,
  spawn,
  spawned,
} from './spawned-instance.test-support.ts'

const { sha256 } = nodeCrypto
/** Where it stands that a step has spawned: behind the beginning of `main`, a writ and the dispatch. */
const MADE = SPAWNED + 3

/** The class, and what a step of it has made. `change` is put into the step. */
function spawnedBy(change: Spawn, step: Partial<IntentBody> = {}): LedgerBuilder {
  const builder = new LedgerBuilder()
  bootstrap(builder)
  builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  const writ = grant(builder, writBody(builder))
  dispatch(builder, writ, { ...STEP, ...step })
  spawn(builder, change)
  return builder
}

const UNTIL = { at: '2026-02-01T12:00:00.000Z' }
const occasion = { spawner: AGENT, until: UNTIL, ends_at: UNTIL.at }
const ended: Contract = { ...own, effective_until: UNTIL.at }
const STEP: Partial<IntentBody> = {
  policy_kind: 'SPAWN_INSTANCE',
  params: { class: contract.agent_id, instance_id: INSTANCE, until: UNTIL },
}

function move(builder: LedgerBuilder, from: string | null, to: string, actor: string): void {
  const body = { agent_id: INSTANCE, from, to, actor, by: 'sample', justification: 'test' }
  builder.decree('lifecycle', body, actor === 'operator' ? builder.operator : builder.kernel)
}

/** Born, active, and dispatching under its own contract. */
function acting(builder: LedgerBuilder): LedgerBuilder {
  move(builder, null, 'INITIALIZING', 'runtime')
  move(builder, 'INITIALIZING', 'ACTIVE', 'registry')
  builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  const seq = SPAWNED
  const hash = computeAddress('contract', own, sha256)
  const flow = { agent_id: INSTANCE, contract: { hash, seq } }
  grant(builder, writBody(builder, { subject: INSTANCE }), flow)
  return builder
}

function act(builder: LedgerBuilder): void {
  const writ = computeAddress('writ', writBody(builder, { subject: INSTANCE }), sha256)
  const contract_hash = computeAddress('contract', own, sha256)
  dispatch(builder, writ, { agent_id: INSTANCE, contract_hash })
}

test('an instance inside its class, born by the runtime, may act', async () => {
  const builder = acting(spawned())
  act(builder)
  assert.deepEqual(await found(builder), [])
})

test('AUTHORITY_ORDER: the contract of an instance that an agent spawned ends with its occasion', async () => {
  const ending = (effective_until?: string): Spawn => ({
    contract: effective_until === undefined ? own : { ...own, effective_until },
    occasion,
  })
  assert.deepEqual(await found(spawnedBy(ending(UNTIL.at))), [])
  const later = '2026-02-01T12:00:00.001Z'
  assert.deepEqual(await found(spawnedBy(ending(later))), [`${MADE} AUTHORITY_ORDER`])
  assert.deepEqual(await found(spawnedBy(ending())), [`${MADE} AUTHORITY_ORDER`])
})

test('an instance that a step spawned needs no step where nobody looks at flows', async () => {
  const text = spawnedBy({ contract: ended, occasion }).text()
  for (const depth of ['structure', 'signatures', 'fold'] as const) {
    assert.deepEqual(verifyAny(text, nodeCrypto, { depth }).findings, [], depth)
    if (oracleSkip === false) assert.equal((await oracleReport(text, { depth })).ok, true, depth)
  }
})

test('AUTHORITY_ORDER: an instance that no step of its spawner asked for, or of a class that is not below it', async () => {
  const made = [`${MADE} AUTHORITY_ORDER`]
  const { params } = STEP
  for (const step of [
    { policy_kind: 'BUY' },
    { params: { ...params, until: { at: '2026-02-01T11:00:00.000Z' } } },
    { params: { ...params, until: { flow: DFID } } },
    { params: { ...params, instance_id: 'another' } },
    { params: { ...params, class: 'another' } },
  ])
    assert.deepEqual(await found(spawnedBy({ contract: ended, occasion }, step)), made)
  const stranger = { contract: ended, occasion: { ...occasion, spawner: 'stranger' } }
  assert.deepEqual(await found(spawnedBy(stranger)), made)
  const foreign = spawnedBy({}, { params: { ...params, class: 'other' } })
  foreign.entries.pop()
  const other: Contract = { ...contract, agent_id: 'other' }
  const of = computeAddress('contract', other, sha256)
  foreign.decree('contract', { ...DEPLOY, contract: other, contract_hash: of })
  spawn(foreign, { contract: { ...ended, instance_of: 'other' }, of, occasion })
  assert.deepEqual(await found(foreign), [`${MADE + 1} AUTHORITY_ORDER`], 'not below it')
  const below = spawnedBy({}, { params: { ...params, class: 'other' } })
  below.entries.pop()
  const answered: Contract = { ...other, parent_agent: AGENT }
  const hash = computeAddress('contract', answered, sha256)
  below.decree('contract', { ...DEPLOY, contract: answered, contract_hash: hash })
  const answering: Contract = { ...ended, instance_of: 'other', parent_agent: AGENT }
  spawn(below, { contract: answering, of: hash, occasion })
  assert.deepEqual(await found(below), [], 'whoever answers for an agent may have more of it')
})

test('AUTHORITY_ORDER: an instance outlives the time that its step named', async () => {
  const ends_at = '2026-02-01T12:00:00.001Z'
  const later: Contract = { ...own, effective_until: ends_at }
  const made = (until: JsonObject): LedgerBuilder =>
    spawnedBy(
      { contract: later, occasion: { spawner: AGENT, until, ends_at } },
      { params: { ...STEP.params, until } },
    )
  assert.deepEqual(await found(made(UNTIL)), [`${MADE} AUTHORITY_ORDER`])
  assert.deepEqual(await found(made({ at: ends_at })), [])
  assert.deepEqual(await found(made({ flow: DFID })), [])
})

test('AUTHORITY_ORDER: a step that was erased may have asked for one instance, not for two', async () => {
  const builder = spawnedBy({ contract: ended, occasion })
  eraseFlow(builder, DFID)
  assert.deepEqual(await found(builder), [])
  const second = 'agent-1-b'
  spawn(builder, { contract: { ...ended, agent_id: second }, occasion })
  assert.deepEqual(await found(builder), [`${builder.entries.length - 1} AUTHORITY_ORDER`])
})

test('AUTHORITY_ORDER: an instance of a class that has ended, and a flow for one', async () => {
  const late = spawnedBy({})
  late.entries.pop()
  stop(late, 'ACTIVE', 'RETIRED', 'operator')
  spawn(late, {})
  assert.deepEqual(await found(late), [`${MADE + 1} AUTHORITY_ORDER`])
  const opened = spawned()
  stop(opened, 'ACTIVE', 'RETIRED', 'operator')
  acting(opened)
  const last = opened.entries.length - 1
  assert.deepEqual(await found(opened), [`${last} AUTHORITY_ORDER`], 'a flow for its instance')
})

test('AUTHORITY_ORDER: an instance of a class, or by a spawner, that is suspended', async () => {
  for (const change of [{}, { contract: { ...own, effective_until: UNTIL.at }, occasion }]) {
    const builder = spawnedBy({})
    builder.entries.pop()
    stop(builder, 'ACTIVE', 'SUSPENDED', 'operator')
    spawn(builder, change)
    assert.deepEqual(await found(builder), [`${MADE + 1} AUTHORITY_ORDER`])
  }
})

test('ENTRY_UNREADABLE: an occasion has one end', async () => {
  for (const until of [{}, { ...UNTIL, flow: 'f' }, { never: true }]) {
    const builder = spawnedBy({ contract: ended, occasion: { ...occasion, until } })
    assert.deepEqual(await found(builder), [`${MADE} ENTRY_UNREADABLE`])
  }
})

test('ENTRY_SIGNATURE: the runtime signs for instances, and nobody else', async () => {
  assert.deepEqual(await found(spawned({ by: 'operator' })), [`${SPAWNED} ENTRY_SIGNATURE`])
})

test('AUTHORITY_ORDER: an instance is born by the runtime, a class by an operator', async () => {
  const builder = spawned()
  move(builder, null, 'INITIALIZING', 'operator')
  assert.deepEqual(await found(builder), [`${SPAWNED + 1} AUTHORITY_ORDER`])
  const nobody = new LedgerBuilder()
  bootstrap(nobody)
  move(nobody, null, 'INITIALIZING', 'runtime')
  assert.deepEqual(await found(nobody), [`${SPAWNED} AUTHORITY_ORDER`])
})

test('the runtime suspends a class that has not acted; only an operator retires it', async () => {
  const moved = (to: string): LedgerBuilder => {
    const builder = new LedgerBuilder()
    bootstrap(builder)
    move(builder, null, 'INITIALIZING', 'operator')
    move(builder, 'INITIALIZING', to, 'runtime')
    return builder
  }
  assert.deepEqual(await found(moved('SUSPENDED')), [])
  assert.deepEqual(await found(moved('RETIRED')), [`${SPAWNED + 1} AUTHORITY_ORDER`])
})

test('AUTHORITY_ORDER: the runtime retires a suspended instance, and no suspended class', async () => {
  const instance = acting(spawned())
  move(instance, 'ACTIVE', 'SUSPENDED', 'runtime')
  move(instance, 'SUSPENDED', 'RETIRED', 'runtime')
  assert.deepEqual(await found(instance), [])
  const builder = new LedgerBuilder()
  bootstrap(builder)
  move(builder, null, 'INITIALIZING', 'operator')
  move(builder, 'INITIALIZING', 'SUSPENDED', 'operator')
  move(builder, 'SUSPENDED', 'RETIRED', 'runtime')
  assert.deepEqual(await found(builder), [`${SPAWNED + 2} AUTHORITY_ORDER`])
})

test('AUTHORITY_ORDER: an instance has a class that was deployed and is not revoked', async () => {
  const none: Address = `sha256:${'11'.repeat(32)}`
  assert.deepEqual(await found(spawned({ of: none })), [`${SPAWNED} AUTHORITY_ORDER`])
  const stranger = { ...own, instance_of: 'nobody' }
  assert.deepEqual(await found(spawned({ contract: stranger })), [`${SPAWNED} AUTHORITY_ORDER`])
  const builder = new LedgerBuilder()
  bootstrap(builder)
  revoke(builder, 'contract', contract.agent_id)
  spawn(builder, {})
  assert.deepEqual(await found(builder), [`${SPAWNED + 1} AUTHORITY_ORDER`])
})

test('AUTHORITY_ORDER: a name is used once', async () => {
  const builder = spawned()
  spawn(builder, {})
  assert.deepEqual(await found(builder), [`${SPAWNED + 1} AUTHORITY_ORDER`])
})

test('AUTHORITY_ORDER: a revocation of the class stops its instances', async () => {
  for (const id of [contract.agent_id, `${contract.agent_id}@1.0.0`]) {
    const builder = acting(spawned())
    act(builder)
    revoke(builder, 'contract', id)
    act(builder)
    const report = await verifyTwice(builder.text())
    assert.ok(codes(report).includes('AUTHORITY_ORDER'), id)
  }
})

test('finding 28a: a suspension or retirement of the class stops its instances in both verifiers', async () => {
  const moved = (...moves: readonly (readonly [string, string])[]): LedgerBuilder => {
    const builder = acting(spawned())
    for (const [from, to] of moves) {
      const who = { agent_id: contract.agent_id, actor: 'operator', by: 'sample' }
      builder.decree('lifecycle', { ...who, from, to, justification: 'test' }, builder.operator)
    }
    act(builder)
    return builder
  }
  const stop = ['ACTIVE', 'SUSPENDED'] as const
  const codesOf = async (builder: LedgerBuilder): Promise<readonly string[]> =>
    codes(await verifyTwice(builder.text()))
  assert.deepEqual(await codesOf(moved(stop)), ['AUTHORITY_ORDER'])
  assert.deepEqual(await codesOf(moved(['ACTIVE', 'RETIRED'])), ['AUTHORITY_ORDER'])
  assert.deepEqual(await codesOf(moved(stop, ['SUSPENDED', 'ACTIVE'])), [])
})
