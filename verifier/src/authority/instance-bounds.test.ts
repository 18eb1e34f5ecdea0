/** What an instance may have of its class: all of it or less, in every dimension. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Contract, computeAddress } from 'rubicon-kernel'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import { LedgerBuilder } from '../samples/ledger-builder.test-support.ts'
import { bootstrap, contract } from '../samples/sample-ledger.test-support.ts'
import { found, INSTANCE, own, SPAWNED, spawn, spawned } from './spawned-instance.test-support.ts'

const { sha256 } = nodeCrypto
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
