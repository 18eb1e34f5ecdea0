/** What rules are about: kinds, parameters, and amounts that are not negative. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import { parseJson } from '../canonical/parse-json.ts'
import { toCanonicalText } from '../canonical/write-json.ts'
import type { Contract } from './contract.ts'
import { parseContract } from './parse-contract.ts'

const full: JsonObject = {
  agent_id: 'trader_01',
  version: '1.2.0',
  owner: 'jane.doe@example.com',
  effective_from: '2026-02-01',
  mission: 'Trade.',
  permissions: { policy_kinds: ['BUY'] },
}

function parsed(document: JsonValue): Contract {
  const result = parseContract(document)
  assert.ok(result.ok, result.ok ? '' : JSON.stringify(result.error))
  return result.value
}

function problems(document: JsonValue): readonly string[] {
  const result = parseContract(document)
  return result.ok ? [] : result.error.map(({ path, detail }) => `${path.join('.')}: ${detail}`)
}

function withPermissions(permissions: JsonObject): JsonObject {
  return { ...full, permissions: { policy_kinds: ['BUY'], ...permissions } }
}

function withLimit(limit: JsonObject): JsonObject {
  return withPermissions({ limits: [limit] })
}

test('a resource set and a bound may be about some kinds, and are stored plain where about all', () => {
  const some = { allow: ['ETH-USD'], applies_to: ['BUY'] }
  const permissions = {
    policy_kinds: ['BUY'],
    allowed_coins: some,
    resources: { other: { allow: ['a'] } },
  }
  const drift_envelope = {
    price_pct: { max: 2, applies_to: ['BUY'] },
    held: { max: 'strict' },
  }
  const contract = parsed({ ...full, permissions, jit_verification: { drift_envelope } })
  assert.deepEqual({ ...contract.permissions.resources }, { coins: some, other: ['a'] })
  assert.deepEqual(
    { ...contract.jit_verification.drift_envelope },
    { price_pct: { max: '2', applies_to: ['BUY'] }, held: 'strict' },
  )
  const again = parseJson(toCanonicalText(contract))
  assert.ok(again.ok)
  assert.equal(toCanonicalText(parsed(again.value)), toCanonicalText(contract))
  const wrong: readonly JsonObject[] = [
    { resources: { coins: { allow: ['a'], applies_to: [] } } },
    { resources: { coins: { allow: ['a'], applies_to: ['BYU'] } } },
    { resources: { coins: { applies_to: ['BUY'] } } },
    { resources: { coins: { allow: ['a'], colour: 1 } } },
    { coins: { allow: 'a' } },
  ]
  for (const one of wrong)
    assert.equal(problems(withPermissions(one)).length, 1, JSON.stringify(one))
  for (const bound of [{ max: 2, applies_to: ['BYU'] }, { max: -2 }, { applies_to: ['BUY'] }]) {
    const jit_verification = { drift_envelope: { price_pct: bound } }
    const document = { ...full, permissions: { policy_kinds: ['BUY'] }, jit_verification }
    assert.notEqual(problems(document).length, 0, JSON.stringify(bound))
  }
})

test('a dotted name is told the pointer that it stands for', () => {
  const [problem] = problems(withLimit({ id: 'x', field: 'order.quantity', max: 1 }))
  assert.match(String(problem), /`order.quantity` is not a JSON pointer: write `\/order\/quantity`/)
})

test('what has a maximum and no minimum starts at 0, unless a minimum is stated', () => {
  const boundsOf = (limit: JsonObject): readonly unknown[] => {
    const [read] = parsed(withLimit({ id: 'x', measure: 'm', ...limit })).permissions.limits.slice(
      -1,
    )
    return read?.kind === 'range' ? [read.min, read.max] : []
  }
  assert.deepEqual(boundsOf({ max: 5 }), ['0', '5'])
  assert.deepEqual(boundsOf({ min: -5, max: 5 }), ['-5', '5'])
  assert.deepEqual(boundsOf({ min: 5 }), ['5', undefined])
})

test('a watchdog of flows is the usual one, and is stored plain', () => {
  const watched = (scope: string) =>
    parsed({ ...full, safety_rules: { silence_watchdog: { minutes: 5, scope } } }).safety_rules
      .silence_watchdog
  assert.deepEqual(watched('flow'), { minutes: 5 })
  assert.deepEqual(watched('agent'), { minutes: 5, scope: 'agent' })
})

test('a resource set for some kinds is kept with them, and one for all kinds as its list', () => {
  const { permissions } = parsed(
    withPermissions({
      policy_kinds: ['BUY', 'SELL'],
      resources: { one: { allow: ['a'], applies_to: ['BUY'] }, all: { allow: ['b'] }, list: ['c'] },
    }),
  )
  assert.deepEqual(
    { ...permissions.resources },
    { one: { allow: ['a'], applies_to: ['BUY'] }, all: ['b'], list: ['c'] },
  )
})

test('a resource set has nothing beside its list and its kinds', () => {
  const set = { allow: ['a'], applies_to: ['BUY'], more: 1 }
  const found = problems(withPermissions({ resources: { one: set } }))
  assert.deepEqual(
    found.map((one) => one.split(':')[0]),
    ['permissions.resources.one.more'],
  )
})

test('what facts a contract accepts is kept as it is said', () => {
  const { permissions } = parsed(withPermissions({ accepts: { 'news.*': 'external' } }))
  assert.deepEqual({ ...permissions.accepts }, { 'news.*': 'external' })
  assert.equal('accepts' in parsed(full).permissions, false)
})

test('a rule may be about a kind that is forbidden, so that its bounds are there before somebody allows it', () => {
  const about = (kind: string): readonly unknown[] =>
    problems(
      withPermissions({
        forbidden_kinds: ['WITHDRAW'],
        limits: [{ id: 'x', measure: 'm', max: 1, applies_to: [kind] }],
        resources: { accounts: { allow: ['a'], applies_to: [kind] } },
      }),
    )
  assert.deepEqual(about('WITHDRAW'), [])
  assert.equal(about('WITHDARW').length, 2)
})
