/** Both sides of every dimension: what lies inside the class passes, and what does not is named. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../canonical/json-value.ts'
import { classContract } from './class-contract.test-support.ts'
import type { Contract } from './contract.ts'
import { findContractWidening } from './contract-widening.ts'

const ofClass = classContract()

/** An instance of the class with these members in place of its own; a null removes one. */
function wider(patch: JsonObject, parent: Contract = ofClass): readonly string[] {
  const identity = { agent_id: 'position_42', instance_of: 'position_manager' }
  return findContractWidening(classContract({ ...patch, ...identity }), parent)
}

function inside(patch: JsonObject, parent?: Contract): void {
  assert.deepEqual(wider(patch, parent), [], JSON.stringify(patch))
}

function outside(dimension: string, patch: JsonObject, parent?: Contract): void {
  assert.deepEqual(wider(patch, parent), [dimension], JSON.stringify(patch))
}

test('the class itself, under another name, is inside', () => {
  inside({})
})

test('identity stays: the names, the version, the owner, the role', () => {
  const own = { ...ofClass, agent_id: 'position_42', instance_of: 'position_manager' }
  assert.deepEqual(findContractWidening({ ...own, agent_id: 'position_manager' }, ofClass), [
    'agent_id',
  ])
  assert.deepEqual(findContractWidening({ ...own, instance_of: 'other' }, ofClass), ['instance_of'])
  const { instance_of: _, ...deployed } = own
  assert.deepEqual(findContractWidening(deployed, ofClass), ['instance_of'])
  const forged = { api_version: 'rubicon/v2', kind: 'Other' } as unknown as Contract
  assert.deepEqual(findContractWidening({ ...own, ...forged }, ofClass), ['api_version', 'kind'])
  outside('version', { version: '1.3.0' })
  outside('owner', { owner: 'mallory@example.com' })
  outside('role', { role: 'MONITOR' })
  outside('context_schema', { context_schema: '2.x' })
  outside('working_context', { working_context: { layers: ['state'] } })
})

test('an instance has no instances', () => {
  outside('instance_of', {}, { ...ofClass, instance_of: 'manager' })
})

test('it is in force only while its class is', () => {
  inside({ effective_from: '2026-03-01', effective_until: '2027-01-01' })
  outside('effective_from', { effective_from: '2026-01-31' })
  outside('effective_until', { effective_until: '2027-02-02' })
  outside('effective_until', { effective_until: null })
  const { effective_until: _, ...endless } = ofClass
  inside({}, endless)
})

test('authority does not rise, and priority does not improve', () => {
  for (const authority of ['OBSERVE', 'PROPOSE', 'EXECUTE_LIMITED']) inside({ authority })
  outside('authority', { authority: 'EXECUTE_FULL' })
  outside('authority', { authority: 'PROPOSE' }, { ...ofClass, authority: 'OBSERVE' })
  outside('authority', { authority: 'EXECUTE_LIMITED' }, { ...ofClass, authority: 'PROPOSE' })
  inside({ priority: 51 })
  outside('priority', { priority: 49 })
})

test('it escalates to the parent of its class or to its class, and to nobody else', () => {
  inside({ parent_agent: 'position_manager' })
  outside('parent_agent', { parent_agent: 'generous_agent' })
  outside('parent_agent', { parent_agent: null })
  const { parent_agent: _, ...topmost } = ofClass
  outside('parent_agent', {}, topmost)
})

test('a mission may be made more definite, not another', () => {
  inside({ mission: 'Manage positions. This one is 42.' })
  outside('mission', { mission: 'Do what you like.' })
})

test('kinds: fewer allowed, more forbidden', () => {
  inside({ permissions: { forbidden_kinds: ['WITHDRAW', 'LEND'] } })
  outside('permissions.forbidden_kinds', { permissions: { forbidden_kinds: [] } })
  const more = { policy_kinds: ['BUY', 'SELL', 'HOLD', 'LEND'] }
  outside('permissions.policy_kinds', { permissions: more })
})

test('resources: each pattern lies under one of the class, and each set is one of the class', () => {
  const with_ = (resources: JsonObject) => ({ permissions: { resources } })
  inside(with_({ instruments: ['ETH-USD', 'ETH-E*', 're:SOL.*'] }))
  inside(with_({ instruments: [] }))
  // A set that is left out could let pass what no capability answers.
  outside('permissions.resources', with_({ instruments: null }))
  outside('permissions.resources', with_({ instruments: ['DOGE-USD'] }))
  outside('permissions.resources', with_({ instruments: ['*'] }))
  // Of two expressions nobody can say which is narrower.
  outside('permissions.resources', with_({ instruments: ['re:SOL-USD'] }))
  outside('permissions.resources', with_({ accounts: ['main'] }))
})

test('a resource set and a bound are about no fewer kinds than in the class, and no others', () => {
  const some = { allow: ['ETH-USD'], applies_to: ['BUY'] }
  const least = { max: '1', applies_to: ['BUY'] }
  const unlimited = (permissions: JsonObject, envelope: JsonObject = {}): JsonObject => {
    const jit_verification = { drift_envelope: envelope }
    return { permissions: { ...permissions, limits: [] }, jit_verification }
  }
  const plain = classContract(unlimited({}))
  const fewer = unlimited({ resources: { instruments: some } })
  outside('permissions.resources', fewer, plain)
  const buying = { policy_kinds: ['BUY'], resources: { instruments: some } }
  inside(unlimited(buying), plain)
  inside(fewer, classContract(fewer))
  outside('permissions.resources', unlimited({}), classContract(fewer))
  outside('jit_verification.drift_envelope', unlimited({}, { price_pct: least }), plain)
  inside(unlimited({ policy_kinds: ['BUY'] }, { price_pct: least }), plain)
})

test('limits: those of the class, or tighter', () => {
  outside('permissions.limits', { permissions: { limits: [] } })
})

test('subscriptions and reads: some of those of the class', () => {
  inside({ permissions: { subscriptions: [] } })
  const topics = { subscriptions: [{ topic: 'market.price' }] }
  outside('permissions.subscriptions', { permissions: topics })
  inside({ permissions: { reads: ['market.price', 'market.eu.*'] } })
  outside('permissions.reads', { permissions: { reads: ['positions.*'] } })
  outside('permissions.reads', { permissions: { reads: [] } })
  const unsaid = classContract({ permissions: { reads: [] } })
  outside('permissions.reads', { permissions: { reads: ['market.price'] } }, unsaid)
})

test('accepts: no lower a label than the class, and nowhere else', () => {
  const open = classContract({ permissions: { accepts: { 'news.*': 'external' } } })
  inside({}, open)
  inside({ permissions: { accepts: { 'news.eu.*': 'external' } } }, open)
  outside('permissions.accepts', { permissions: { accepts: { 'news.eu': 'agent' } } }, open)
  outside('permissions.accepts', { permissions: { accepts: { 'market.*': 'external' } } }, open)
  outside('permissions.accepts', { permissions: { accepts: { 'news.*': 'external' } } })
})

test('thresholds, reason codes and the host stay; a threshold or a word may be added', () => {
  inside({ aggregate_thresholds: { max_failure_rate_7d: '0.3' } })
  outside('aggregate_thresholds', { aggregate_thresholds: { max_average_discount_30d: '0.2' } })
  outside('aggregate_thresholds', { aggregate_thresholds: { max_average_discount_30d: null } })
  inside({ reason_codes: { TOO_ODD: { kernel: 'LIMIT_EXCEEDED', summary: 'odd' } } })
  outside('reason_codes', { reason_codes: { TOO_LONG: { summary: 'another word' } } })
  outside('host', { host: { memory_mb: 512 } })
  outside('host', { host: null })
})

test('compensation: some of the menu', () => {
  inside({ compensation: ['ALERT_HUMAN'] })
  outside('compensation', { compensation: ['CLOSE_ALL'] })
})

test('all that goes too far is named at once', () => {
  const patch = {
    authority: 'EXECUTE_FULL',
    safety_rules: { max_intent_retries: 9 },
    jit_verification: { max_context_age_seconds: 31, drift_envelope: { price_pct: '2.1' } },
  }
  assert.deepEqual(wider(patch), [
    'authority',
    'safety_rules.max_intent_retries',
    'jit_verification.max_context_age_seconds',
    'jit_verification.drift_envelope',
  ])
})
