import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Address } from '../canonical/address.ts'
import type { CapabilityDescription } from '../execution/capability.ts'
import { foldCapability, foldRules, type RecordedRules } from '../ledger/recorded-rules.ts'
import type { RuleSet, RulesBody } from '../ledger/rules-payload.ts'
import { sha256 } from './case-documents.test-support.ts'
import {
  acceptanceHash,
  type HeldRules,
  isUpgradeAlone,
  rulesDifference,
  rulesStanding,
  standsAt,
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
const FIRST: RecordedRules = foldRules(null, body('sha256:one'), 5)
const held = (more: Partial<HeldRules> = {}): HeldRules => ({
  hash: 'sha256:one',
  rules: RULES,
  capabilities: [{ kind: 'BUY', hash: 'sha256:buy' }],
  ...more,
})
const UNTIL = '2026-06-01T12:00:00.000Z'

test('before anything is recorded nothing is in force', () => {
  assert.deepEqual(rulesStanding(null, held()), { kind: 'not_in_force' })
  assert.equal(foldCapability(null, { ...body('sha256:x').capabilities[0] } as never, 1), null)
})

test('what is recorded is in force, with all its capabilities or with fewer', () => {
  assert.deepEqual(rulesStanding(FIRST, held()), { kind: 'in_force', until: null })
  assert.deepEqual(rulesStanding(FIRST, held({ capabilities: [] })), {
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
  for (const one of other) assert.equal(rulesStanding(FIRST, one).kind, 'not_in_force')
})

test('what was replaced last counts until its time, and not at it', () => {
  const second = foldRules(FIRST, body('sha256:two', { previous_until: UNTIL }), 6)
  const standing = rulesStanding(second, held())
  assert.deepEqual(standing, { kind: 'in_force', until: UNTIL })
  assert.equal(standsAt(standing, '2026-06-01T11:59:59.999Z'), true)
  assert.equal(standsAt(standing, UNTIL), false)
  const third = foldRules(second, body('sha256:three', { previous_until: UNTIL }), 7)
  assert.equal(rulesStanding(third, held()).kind, 'not_in_force', 'two steps back')
  const none = foldRules(FIRST, body('sha256:two'), 6)
  assert.equal(rulesStanding(none, held()).kind, 'not_in_force')
})

test('a capability has a time of its own, and the earliest end counts', () => {
  const record = { capability: described('BUY'), capability_hash: 'sha256:new' as const }
  const changed = foldCapability(FIRST, { ...record, previous_until: UNTIL }, 6)
  assert.deepEqual(rulesStanding(changed, held()), { kind: 'in_force', until: UNTIL })
  const later = '2026-06-01T13:00:00.000Z'
  const both = foldRules(
    changed,
    body('sha256:two', { capabilities: [], previous_until: later }),
    7,
  )
  assert.deepEqual(rulesStanding(both, held()), { kind: 'in_force', until: UNTIL })
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
    rulesDifference(FIRST, held({ hash: 'sha256:two', rules, capabilities })).map(
      ({ what, name, change }) => `${change} ${what} ${name}`,
    ),
    ['changed policy ops', 'added policy night', 'added capability SELL', 'gone capability BUY'],
  )
  const gone = rulesDifference(FIRST, held({ rules: { ...RULES, policies: [] } }))
  assert.deepEqual(
    gone.map(({ change, name }) => [change, name]),
    [['gone', 'ops']],
  )
  assert.deepEqual(rulesDifference(FIRST, held()), [])
})

test('the same policies in another order are other rules', () => {
  const [ops] = RULES.policies
  assert.ok(ops !== undefined)
  const night = { ...ops, name: 'night' }
  const before = foldRules(
    null,
    body('sha256:one', { rules: { ...RULES, policies: [ops, night] } }),
    1,
  )
  const after = held({ hash: 'sha256:two', rules: { ...RULES, policies: [night, ops] } })
  assert.deepEqual(
    rulesDifference(before, after).map(({ name, change }) => [name, change]),
    [['order', 'changed']],
  )
  assert.equal(isUpgradeAlone(rulesDifference(before, after)), false)
})

test('two policies of one name are told apart', () => {
  const [ops] = RULES.policies
  assert.ok(ops !== undefined)
  const two = held({ rules: { ...RULES, policies: [ops, ops] } })
  assert.deepEqual(
    rulesDifference(FIRST, two).map(({ name, change }) => [name, change]),
    [['ops (2)', 'added']],
  )
})

test('a newer version alone needs nobody; an older one, or anything else, does', () => {
  const versions = (change: Partial<RuleSet>, capabilities = held().capabilities): boolean =>
    isUpgradeAlone(rulesDifference(FIRST, held({ rules: { ...RULES, ...change }, capabilities })))
  assert.equal(versions({ compiler_version: 'rubicon-kernel/0.4.0' }), true)
  assert.equal(versions({ compiler_version: 'rubicon-kernel/0.10.0' }), true)
  assert.equal(versions({ reason_table: 'sha256:other' }), true)
  assert.equal(versions({ evaluators: { cedar: 'cedar-wasm/5', regex: 're2js/2.10.0' } }), true)
  assert.equal(versions({ evaluators: {} }), true)
  assert.equal(versions({}, [{ kind: 'COMPENSATE', hash: 'sha256:c' }]), true)
  assert.equal(versions({ compiler_version: 'rubicon-kernel/0.2.9' }), false)
  assert.equal(versions({ evaluators: { cedar: 'cedar-wasm/4.12' } }), false)
  assert.equal(versions({ compiler_version: 'rubicon-kernel/0.4.0', policies: [] }), false)
  assert.equal(versions({}, [{ kind: 'SELL', hash: 'sha256:s' }]), false)
})

test('a yes is given to one change: from what is recorded, to what is held', () => {
  const yes = acceptanceHash(FIRST, held({ hash: 'sha256:two' }), sha256)
  const again = foldRules(FIRST, body('sha256:zero'), 6)
  assert.notEqual(acceptanceHash(again, held({ hash: 'sha256:two' }), sha256), yes)
  assert.notEqual(acceptanceHash(FIRST, held({ hash: 'sha256:three' }), sha256), yes)
  assert.notEqual(acceptanceHash(null, held({ hash: 'sha256:two' }), sha256), yes)
  // What others hold beside it is not asked about.
  const record = { capability: described('SELL'), capability_hash: 'sha256:sell' as const }
  const beside = foldCapability(FIRST, record, 6)
  assert.equal(acceptanceHash(beside, held({ hash: 'sha256:two' }), sha256), yes)
})
