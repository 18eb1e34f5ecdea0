import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../canonical/json-value.ts'
import { parseJson } from '../canonical/parse-json.ts'
import { toCanonicalText } from '../canonical/write-json.ts'
import { parseContract } from '../contract/parse-contract.ts'
import { buildWritBody } from './issue.ts'
import { parseWritBody } from './parse-writ.ts'
import type { WritBody } from './writ.ts'

const options = {
  tenant: 't',
  audience: 'rubicon',
  issuer_key: 'key-issuer',
  nonce: '019b76da-a800-7000-8000-000000000000',
  now: '2026-03-01T00:00:00.000Z',
  ttlMs: 60_000,
}

function issued(changes: JsonObject, more: { subject_key?: string } = {}): WritBody {
  const contract = parseContract({
    agent_id: 'a',
    version: '1.0.0',
    owner: 'o',
    effective_from: '2026-01-01',
    mission: 'm',
    permissions: { policy_kinds: ['BUY', 'SELL'], instruments: ['ETH-USD'] },
    ...changes,
  })
  assert.ok(contract.ok, JSON.stringify(contract))
  return buildWritBody(contract.value, { ...options, ...more })
}

test('the writ of a flow grants what the contract lists', () => {
  const writ = issued({}, { subject_key: 'key-a' })
  assert.equal(writ.subject, 'a')
  assert.equal(writ.subject_key, 'key-a')
  assert.deepEqual(
    writ.scopes.map(({ kind, resources }) => [kind, resources?.instruments]),
    [
      ['BUY', ['ETH-USD']],
      ['SELL', ['ETH-USD']],
    ],
  )
  assert.deepEqual(writ.budget, { calls: '100' })
  assert.deepEqual(writ.delegation, { max_depth: 2, may_delegate: true })
  assert.equal(writ.window.expires_at, '2026-03-01T00:01:00.000Z')
})

test('a contract without resource sets gives scopes without them', () => {
  assert.deepEqual(issued({ permissions: { policy_kinds: ['BUY'] } }).scopes, [{ kind: 'BUY' }])
})

test('the budget of the contract is the budget of the writ', () => {
  const writ = issued({ safety_rules: { budget_per_flow: { calls: 3, usd: '0.50' } } })
  assert.deepEqual({ ...writ.budget }, { calls: '3', usd: '0.5' })
})

test('an observer may read, everyone else may act', () => {
  const all = { read: true, write: true, external: true, irreversible: true }
  const none = { read: true, write: false, external: false, irreversible: false }
  assert.deepEqual(issued({ authority: 'OBSERVE' }).effect_ceiling, none)
  for (const authority of ['PROPOSE', 'EXECUTE_LIMITED', 'EXECUTE_FULL']) {
    assert.deepEqual(issued({ authority }).effect_ceiling, all)
  }
})

test('a writ never outlives its contract, and begins no earlier', () => {
  const ending = issued({ effective_until: '2026-03-01T00:00:30Z' }).window
  assert.equal(ending.expires_at, '2026-03-01T00:00:30.000Z')
  const ended = issued({ effective_until: '2026-02-01' }).window
  assert.equal(ended.expires_at, ended.not_before)
  const coming = issued({ effective_from: '2026-04-01' }).window
  assert.equal(coming.not_before, '2026-04-01T00:00:00.000Z')
})

test('what is issued can be read', () => {
  for (const changes of [{}, { effective_until: '2026-02-01' }, { authority: 'OBSERVE' }]) {
    const text = toCanonicalText(issued(changes))
    const document = parseJson(text)
    assert.ok(document.ok)
    const body = parseWritBody(document.value)
    assert.ok(body.ok, JSON.stringify(body))
    assert.equal(toCanonicalText(body.value), text)
  }
})
