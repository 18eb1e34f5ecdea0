import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Address } from '../canonical/address.ts'
import type { CapabilityDescription } from '../execution/capability.ts'
import { foldCapability, foldRules, type RecordedRules } from '../ledger/recorded-rules.ts'
import type { RuleSet, RulesBody } from '../ledger/rules-payload.ts'
import { sha256 } from './case-documents.test-support.ts'
import {
  compareRules,
  computeRulesStanding,
  type HeldRules,
  hashAcceptance,
  isStandingAt,
  isUpgradeAlone,
} from './rules-difference.ts'

const described = (kind: string): CapabilityDescription => ({ kind }) as CapabilityDescription
const RULES: RuleSet = {
  compiler_version: 'rubicon-kernel/0.3.0',
  reason_table: 'sha256:table',
  evaluators: { cedar: 'cedar-wasm/4.13.0' },
  policies: [{ name: 'ops', version: '1', source: 'cedar:sha256:a' }],
}
const body = (hash: Address, more: Partial<RulesBody> = {}): RulesBody => ({
  rules_hash: hash,
  rules: RULES,
  capabilities: [{ capability: described('BUY'), capability_hash: 'sha256:buy' }],
  texts: {},
  ...more,
})
const FIRST: RecordedRules = foldRules(null, body('sha256:one'), 'sha256:five')
const held = (more: Partial<HeldRules> = {}): HeldRules => ({
  hash: 'sha256:one',
  rules: RULES,
  capabilities: [{ kind: 'BUY', hash: 'sha256:buy' }],
  ...more,
})
const UNTIL = '2026-06-01T12:00:00.000Z'

test('a capability that is recorded later stands beside those before it, in the place of its own', () => {
  const sell = { capability: described('SELL'), capability_hash: 'sha256:sell' } as const
  const both = foldCapability(FIRST, { ...sell, previous_until: UNTIL } as never, 'sha256:six')
  assert.deepEqual(both?.capabilities, [described('BUY'), described('SELL')])
  const again = foldRules(both, body('sha256:two'), 'sha256:seven')
  assert.deepEqual(
    again.capabilities.map(({ kind }) => kind),
    ['BUY', 'SELL'],
  )
})

test('before anything is recorded nothing is in force', () => {
  assert.deepEqual(computeRulesStanding(null, held()), { kind: 'not_in_force' })
  assert.equal(
    foldCapability(null, { ...body('sha256:x').capabilities[0] } as never, 'sha256:e'),
    null,
  )
})

test('what is recorded is in force, with all its capabilities or with fewer', () => {
  assert.deepEqual(computeRulesStanding(FIRST, held()), { kind: 'in_force', until: null })
  assert.deepEqual(computeRulesStanding(FIRST, held({ capabilities: [] })), {
    kind: 'in_force',
    until: null,
  })
})

test('other rules, a changed capability and an unrecorded one are not', () => {
  const other = [
    held({ hash: 'sha256:two' }),
    held({ capabilities: [{ kind: 'BUY', hash: 'sha256:changed' }] }),
    held({ capabilities: [{ kind: 'SELL', hash: 'sha256:sell' }] }),
  ]
  for (const one of other) assert.equal(computeRulesStanding(FIRST, one).kind, 'not_in_force')
})

test('what was replaced last counts until its time, and not at it', () => {
  const second = foldRules(FIRST, body('sha256:two', { previous_until: UNTIL }), 'sha256:six')
  const standing = computeRulesStanding(second, held())
  assert.deepEqual(standing, { kind: 'in_force', until: UNTIL })
  assert.equal(isStandingAt(standing, '2026-06-01T11:59:59.999Z'), true)
  assert.equal(isStandingAt(standing, UNTIL), false)
  const third = foldRules(second, body('sha256:three', { previous_until: UNTIL }), 'sha256:seven')
  assert.equal(computeRulesStanding(third, held()).kind, 'not_in_force', 'two steps back')
  const none = foldRules(FIRST, body('sha256:two'), 'sha256:six')
  assert.equal(computeRulesStanding(none, held()).kind, 'not_in_force')
})

test('a capability has a time of its own, and the earliest end counts', () => {
  const record = { capability: described('BUY'), capability_hash: 'sha256:new' as const }
  const changed = foldCapability(FIRST, { ...record, previous_until: UNTIL }, 'sha256:six')
  assert.deepEqual(computeRulesStanding(changed, held()), { kind: 'in_force', until: UNTIL })
  const later = '2026-06-01T13:00:00.000Z'
  const both = foldRules(
    changed,
    body('sha256:two', { capabilities: [], previous_until: later }),
    'sha256:seven',
  )
  assert.deepEqual(computeRulesStanding(both, held()), { kind: 'in_force', until: UNTIL })
})

test('the difference names what is added, changed and gone', () => {
  const rules: RuleSet = {
    ...RULES,
    policies: [
      { name: 'ops', version: '2', source: 'cedar:sha256:b', applies_to: ['BUY'] },
      { name: 'night', version: '1', source: 'unpinned' },
    ],
  }
  const capabilities = [{ kind: 'SELL', hash: 'sha256:sell' as const }]
  assert.deepEqual(
    compareRules(FIRST, held({ hash: 'sha256:two', rules, capabilities })).map(
      ({ what, name, change }) => `${change} ${what} ${name}`,
    ),
    ['changed policy ops', 'added policy night', 'added capability SELL', 'gone capability BUY'],
  )
  const gone = compareRules(FIRST, held({ rules: { ...RULES, policies: [] } }))
  assert.deepEqual(
    gone.map(({ change, name }) => [change, name]),
    [['gone', 'ops']],
  )
  assert.deepEqual(compareRules(FIRST, held()), [])
})

test('the same policies in another order are other rules', () => {
  const [ops] = RULES.policies
  assert.ok(ops !== undefined)
  const night = { ...ops, name: 'night' }
  const before = foldRules(
    null,
    body('sha256:one', { rules: { ...RULES, policies: [ops, night] } }),
    'sha256:e',
  )
  const after = held({ hash: 'sha256:two', rules: { ...RULES, policies: [night, ops] } })
  assert.deepEqual(
    compareRules(before, after).map(({ name, change }) => [name, change]),
    [['order', 'changed']],
  )
  assert.equal(isUpgradeAlone(before, after), false)
})

test('two policies of one name are told apart', () => {
  const [ops] = RULES.policies
  assert.ok(ops !== undefined)
  const two = held({ rules: { ...RULES, policies: [ops, ops] } })
  assert.deepEqual(
    compareRules(FIRST, two).map(({ name, change }) => [name, change]),
    [['ops (2)', 'added']],
  )
})

test('a newer compiler alone needs nobody; an older or an equal one, or anything else, does', () => {
  const alone = (change: Partial<RuleSet>, capabilities = held().capabilities): boolean =>
    isUpgradeAlone(FIRST, held({ rules: { ...RULES, ...change }, capabilities }))
  const newer = { compiler_version: 'rubicon-kernel/0.4.0' }
  assert.equal(alone(newer), true)
  assert.equal(alone({ compiler_version: 'rubicon-kernel/0.10.0' }), true)
  assert.equal(alone({ ...newer, reason_table: 'sha256:other' }), true)
  const evaluators = { cedar: 'cedar-wasm/5', regex: 're2js/2.10.0' }
  assert.equal(alone({ ...newer, evaluators }), true)
  assert.equal(alone({ ...newer, evaluators: {} }), true)
  assert.equal(alone(newer, [{ kind: 'COMPENSATE', hash: 'sha256:c' }]), true)
  assert.equal(alone({ compiler_version: 'rubicon-kernel/0.2.9' }), false)
  assert.equal(alone({ ...newer, evaluators: { cedar: 'cedar-wasm/4.12' } }), false)
  assert.equal(alone({ ...newer, evaluators: { cedar: 'other-wasm/9' } }), false)
  assert.equal(alone({ ...newer, policies: [] }), false)
  assert.equal(alone(newer, [{ kind: 'SELL', hash: 'sha256:s' }]), false)
  // What has the version of the recorded rules may be what was there before them.
  assert.equal(alone({}), false)
  assert.equal(alone({ reason_table: 'sha256:other' }), false)
  assert.equal(alone({ evaluators }), false)
  assert.equal(alone({}, [{ kind: 'COMPENSATE', hash: 'sha256:c' }]), false)
})

test('a version that somebody took back does not come again by itself', () => {
  const newer = { ...RULES, compiler_version: 'rubicon-kernel/0.4.0' }
  const upgraded = foldRules(FIRST, body('sha256:two', { rules: newer }), 'sha256:six')
  const back = foldRules(upgraded, body('sha256:one'), 'sha256:seven')
  assert.equal(isUpgradeAlone(back, held({ hash: 'sha256:two', rules: newer })), false)
  const repaired = { ...RULES, compiler_version: 'rubicon-kernel/0.4.1' }
  assert.equal(isUpgradeAlone(back, held({ hash: 'sha256:three', rules: repaired })), true)
})

test('policies whose joined words are equal are other policies', () => {
  const [ops] = RULES.policies
  assert.ok(ops !== undefined)
  const of = (...applies_to: string[]): RuleSet => ({
    ...RULES,
    policies: [{ ...ops, applies_to }],
  })
  const before = foldRules(null, body('sha256:one', { rules: of('A, B') }), 'sha256:e')
  const newer = { ...of('A', 'B'), compiler_version: 'rubicon-kernel/0.4.0' }
  for (const rules of [of('A', 'B'), newer]) {
    const other = held({ hash: 'sha256:two', rules })
    const changed = compareRules(before, other).filter(({ what }) => what === 'policy')
    assert.deepEqual(
      changed.map(({ name, change }) => [name, change]),
      [['ops', 'changed']],
    )
    assert.equal(isUpgradeAlone(before, other), false)
  }
})

test('a yes is given to one change: from what is recorded, to what is held', () => {
  const yes = hashAcceptance(FIRST, held({ hash: 'sha256:two' }), sha256)
  const again = foldRules(FIRST, body('sha256:zero'), 'sha256:six')
  assert.notEqual(hashAcceptance(again, held({ hash: 'sha256:two' }), sha256), yes)
  assert.notEqual(hashAcceptance(FIRST, held({ hash: 'sha256:three' }), sha256), yes)
  assert.notEqual(hashAcceptance(null, held({ hash: 'sha256:two' }), sha256), yes)
})

test('a yes is for one place of the ledger: the same rules recorded once more need another', () => {
  const two = held({ hash: 'sha256:two' })
  const yes = hashAcceptance(FIRST, two, sha256)
  const replaced = foldRules(FIRST, body('sha256:two'), 'sha256:six')
  const back = foldRules(replaced, body('sha256:one'), 'sha256:seven')
  assert.notEqual(hashAcceptance(back, two, sha256), yes)
  const record = { capability: described('SELL'), capability_hash: 'sha256:sell' as const }
  const beside = foldCapability(FIRST, record, 'sha256:six')
  assert.notEqual(hashAcceptance(beside, two, sha256), yes)
})

test('where nothing is recorded everything is added, and what is reserved comes with the version', () => {
  const capabilities = [
    { kind: 'BUY', hash: 'sha256:buy' as const },
    { kind: 'ESCALATE', hash: 'sha256:ask' as const },
  ]
  assert.deepEqual(
    compareRules(null, held({ capabilities })).map(
      ({ what, name, change }) => `${change} ${what} ${name}`,
    ),
    [
      'added version compiler',
      'added version reason table',
      'added version cedar',
      'added policy ops',
      'added capability BUY',
      'added version ESCALATE',
    ],
  )
})
