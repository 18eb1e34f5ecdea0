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
import { codes, places, verifyTwice } from '../samples/agreement.test-support.ts'
import { eraseFlow } from '../samples/erase-flow.test-support.ts'
import { LedgerBuilder } from '../samples/ledger-builder.test-support.ts'
import { oracleReport, oracleSkip } from '../samples/oracle.test-support.ts'
import {
  AGENT,
  bootstrap,
  contract,
  contractHash,
  DEPLOY,
  DFID,
  dispatch,
  grant,
  revoke,
  move as stop,
  writBody,
} from '../samples/sample-ledger.test-support.ts'
import { verifyAny } from '../verify-any.ts'

const { sha256 } = nodeCrypto
const INSTANCE = 'agent-1-a'
/** Where the spawning stands: behind keys, policy, contract and lifecycle of the class. */
const SPAWNED = 9

const own: Contract = { ...contract, agent_id: INSTANCE, instance_of: contract.agent_id }

type Spawn = {
  readonly contract?: Contract
  readonly of?: Address
  readonly by?: 'operator'
  readonly occasion?: JsonObject
}

/** The class, and an instance of it. */
function spawned(change: Spawn = {}): LedgerBuilder {
  const builder = new LedgerBuilder()
  bootstrap(builder)
  spawn(builder, change)
  return builder
}

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

function spawn(builder: LedgerBuilder, change: Spawn): void {
  const made = change.contract ?? own
  const body: JsonObject = {
    action: 'spawn',
    contract: made,
    contract_hash: computeAddress('contract', made, sha256),
    of: change.of ?? contractHash,
    ...(change.occasion === undefined ? {} : { occasion: change.occasion }),
  }
  builder.decree('contract', body, change.by === 'operator' ? builder.operator : builder.kernel)
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

async function found(builder: LedgerBuilder): Promise<string[]> {
  return places(await verifyTwice(builder.text()))
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

const { permissions, safety_rules, jit_verification } = own

test('AUTHORITY_ORDER: an instance that goes beyond its class, in any dimension', async () => {
  const wider: readonly Partial<Contract>[] = [
    { version: '1.0.1' },
    { owner: 'mallory@example.com' },
    { role: 'MONITOR' },
    { effective_from: '2025-01-01T00:00:00.000Z' },
    { parent_agent: 'agent-9' },
    { priority: 49 },
    { mission: 'sell' },
    { host: { memory_mb: 1 } },
    { context_schema: '1.x' },
    { working_context: { layers: ['state'], requires: [], limits: { tokens: 900 } } },
    { compensation: ['REVERT'] },
    { permissions: { ...permissions, policy_kinds: ['BUY', 'SELL'] } },
    { permissions: { ...permissions, resources: { accounts: ['*'] } } },
    { permissions: { ...permissions, reads: ['market.*'] } },
    { permissions: { ...permissions, accepts: { 'news.*': 'external' as const } } },
    { permissions: { ...permissions, subscriptions: [{ topic: 'market.price' }] } },
    { safety_rules: { ...safety_rules, max_intent_retries: 4 } },
    { safety_rules: { ...safety_rules, escalations_per_hour: 4 } },
    { safety_rules: { ...safety_rules, budget_per_flow: { calls: '101' } } },
    { safety_rules: { ...safety_rules, budget_per_flow: { usd: '0.01' } } },
    { jit_verification: { ...jit_verification, drift_envelope: { price_pct: '1' } } },
    { jit_verification: { ...jit_verification, max_context_age_seconds: 901 } },
  ]
  for (const change of wider) {
    const builder = spawned({ contract: { ...own, ...change } })
    const name = JSON.stringify(change)
    assert.deepEqual(await found(builder), [`${SPAWNED} AUTHORITY_ORDER`], name)
  }
})

test('an instance may be narrower in every dimension', async () => {
  const narrower: readonly Partial<Contract>[] = [
    { authority: 'OBSERVE', priority: 51, mission: 'buy one' },
    { parent_agent: contract.agent_id, effective_until: '2027-01-01T00:00:00.000Z' },
    { permissions: { ...permissions, policy_kinds: [], forbidden_kinds: ['BUY'] } },
    // The bounds of a kind that is forbidden are there for when it is not.
    {
      permissions: {
        ...permissions,
        forbidden_kinds: ['SELL'],
        resources: { ...permissions.resources, books: { allow: ['a'], applies_to: ['SELL'] } },
      },
      jit_verification: {
        ...jit_verification,
        drift_envelope: {
          ...jit_verification.drift_envelope,
          book_pct: { max: '1', applies_to: ['SELL'] },
        },
      },
    },
    { safety_rules: { ...safety_rules, budget_per_flow: { calls: '1' }, max_intent_retries: 1 } },
    { safety_rules: { ...safety_rules, min_confidence_threshold: '0.9' } },
    { safety_rules: { ...safety_rules, requires_human_approval: ['BUY'] } },
    { safety_rules: { ...safety_rules, max_drawdown_limit_pct: '1', requires_signature: true } },
    { jit_verification: { drift_envelope: { price: 'strict' }, max_state_age_ms: 1 } },
    { aggregate_thresholds: { max_average_loss_7d: '3' } },
  ]
  for (const change of narrower) {
    const builder = spawned({ contract: { ...own, ...change } })
    assert.deepEqual(await found(builder), [], JSON.stringify(change))
  }
})

test('AUTHORITY_ORDER: what is no contract cannot be held against its class', async () => {
  const { safety_rules: _, ...half } = own
  const short = spawned({ contract: half as unknown as Contract })
  assert.deepEqual(await found(short), [`${SPAWNED} AUTHORITY_ORDER`])
  const unfit: readonly Partial<Contract>[] = [
    { parent_agent: own.agent_id },
    { colour: 'red' } as Partial<Contract>,
    { permissions: { ...permissions, policy_kinds: ['BUY', 'BUY'] } },
    { safety_rules: { ...safety_rules, max_intent_retries: 0 } },
  ]
  for (const change of unfit) {
    const odd = spawned({ contract: { ...own, ...change } })
    assert.deepEqual(await found(odd), [`${SPAWNED} AUTHORITY_ORDER`], JSON.stringify(change))
  }
})

test('limits of a class bind its instances', async () => {
  const limit = { id: 'v', kind: 'range', measure: 'v', min: '0', max: '5' } as const
  const answer = { on_breach: 'reject', reason_code: 'LIMIT_EXCEEDED' } as const
  const limits = [{ ...limit, ...answer }]
  const version = '2.0.0'
  const bounded: Contract = { ...contract, version, permissions: { ...permissions, limits } }
  const of = computeAddress('contract', bounded, sha256)
  const instance = (max: string | null, change: object = {}): LedgerBuilder => {
    const builder = new LedgerBuilder()
    bootstrap(builder)
    const deployment = { action: 'deploy', contract: bounded, contract_hash: of }
    builder.decree('contract', {
      ...deployment,
      persons: { owner: 'p_jane', approvers: [] },
      revoke_previous: false,
    })
    const held = max === null ? [] : [{ ...limit, ...answer, max, ...change }]
    const made = { ...own, version, permissions: { ...permissions, limits: held } } as Contract
    spawn(builder, { contract: made, of })
    return builder
  }
  assert.deepEqual(await found(instance('5')), [])
  assert.deepEqual(await found(instance('4.99', { min: '1' })), [])
  const wider = [`${SPAWNED + 1} AUTHORITY_ORDER`]
  assert.deepEqual(await found(instance(null)), wider)
  assert.deepEqual(await found(instance('5.01')), wider)
  assert.deepEqual(await found(instance('5', { measure: 'w' })), wider)
  assert.deepEqual(await found(instance('5', { min: '-1' })), wider)
  const escalates = { on_breach: 'escalate', reason_code: 'AUTHORITY_CEILING' }
  assert.deepEqual(await found(instance('5', escalates)), wider)
})

test('finding 28a: a limit on a reserved kind is not lost by leaving its kinds out, in either verifier', async () => {
  const answer = { on_breach: 'reject', reason_code: 'LIMIT_EXCEEDED' } as const
  const limit = {
    id: 'child',
    kind: 'set',
    field: '/agent',
    allowed: ['clerk'],
    ...answer,
  } as const
  const version = '2.0.0'
  const made = (limits: readonly object[], change: object = {}): Contract => {
    const policy_kinds = ['BUY', 'SPAWN_CHILD']
    return {
      ...contract,
      version,
      permissions: { ...permissions, policy_kinds, limits },
      ...change,
    } as Contract
  }
  const instance = (ofClass: object, held: readonly object[]): LedgerBuilder => {
    const builder = new LedgerBuilder()
    bootstrap(builder)
    const bounded = made([ofClass])
    const of = computeAddress('contract', bounded, sha256)
    builder.decree('contract', {
      action: 'deploy',
      contract: bounded,
      contract_hash: of,
      persons: { owner: 'p_jane', approvers: [] },
      revoke_previous: false,
    })
    const identity = { agent_id: INSTANCE, instance_of: own.instance_of }
    spawn(builder, { contract: made(held, identity), of })
    return builder
  }
  const named = { ...limit, applies_to: ['SPAWN_CHILD'] }
  assert.deepEqual(await found(instance(named, [named])), [])
  assert.deepEqual(await found(instance(named, [limit])), [`${SPAWNED + 1} AUTHORITY_ORDER`])
  assert.deepEqual(await found(instance(limit, [{ ...limit, applies_to: ['BUY'] }])), [])
})

test('resource sets and bounds of a class bind its instances, kind by kind', async () => {
  const version = '2.0.0'
  const kinds = ['BUY', 'SELL']
  const some = (applies_to: readonly string[], allow: readonly string[] = ['a*']) => ({
    allow,
    applies_to,
  })
  const made = (resources: object, drift_envelope: object, change: object): Contract =>
    ({
      ...contract,
      version,
      permissions: { ...permissions, policy_kinds: kinds, resources },
      jit_verification: { drift_envelope },
      ...change,
    }) as Contract
  const bounded = made(
    { books: some(['BUY']), desks: ['d'] },
    { p_pct: { max: '2', applies_to: ['BUY'] } },
    {},
  )
  const of = computeAddress('contract', bounded, sha256)
  const instance = (resources: object, drift_envelope: object): LedgerBuilder => {
    const builder = new LedgerBuilder()
    bootstrap(builder)
    const deployment = { action: 'deploy', contract: bounded, contract_hash: of }
    const persons = { owner: 'p_jane', approvers: [] }
    builder.decree('contract', { ...deployment, persons, revoke_previous: false })
    const identity = { agent_id: INSTANCE, instance_of: own.instance_of }
    spawn(builder, { contract: made(resources, drift_envelope, identity), of })
    return builder
  }
  const bound = (max: string, applies_to: readonly string[] = ['BUY']): object => {
    return { p_pct: { max, applies_to } }
  }
  const sets = { books: some(['BUY']), desks: ['d'] }
  assert.deepEqual(await found(instance(sets, bound('2'))), [])
  assert.deepEqual(await found(instance({ ...sets, books: some(['BUY'], ['ab']) }, bound('1'))), [])
  const wider = [`${SPAWNED + 1} AUTHORITY_ORDER`]
  assert.deepEqual(await found(instance({ desks: ['d'] }, bound('2'))), wider, 'a set is gone')
  assert.deepEqual(await found(instance({ ...sets, books: ['a*'] }, bound('2'))), wider)
  assert.deepEqual(
    await found(instance({ ...sets, desks: some(['BUY'], ['d']) }, bound('2'))),
    wider,
  )
  assert.deepEqual(
    await found(instance({ ...sets, books: some(['BUY'], ['b']) }, bound('2'))),
    wider,
  )
  assert.deepEqual(await found(instance(sets, bound('3'))), wider)
  assert.deepEqual(await found(instance(sets, {})), wider)
  assert.deepEqual(await found(instance(sets, bound('2', ['SELL']))), wider)
  assert.deepEqual(await found(instance(sets, { p_pct: '2' })), wider)
})
