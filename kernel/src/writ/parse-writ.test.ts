import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { encodeBase64 } from '../canonical/bytes.ts'
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import { toCanonicalText } from '../canonical/write-json.ts'
import { parseWrit } from './parse-writ.ts'
import { computeWritId } from './writ-id.ts'

const sha256 = (data: Uint8Array): Uint8Array => createHash('sha256').update(data).digest()

const address = `sha256:${'ab'.repeat(32)}`
const body = {
  tenant: 't',
  issuer_key: 'key-issuer',
  subject: 'agent',
  subject_key: 'key-agent',
  audience: 'rubicon',
  nonce: '019b76da-a800-7000-8000-000000000000',
  parent: address,
  scopes: [
    { kind: 'BUY', resources: { instruments: ['ETH-*'] } },
    { kind: 'pay.*' },
    { kind: '*' },
  ],
  effect_ceiling: { read: true, write: true, external: false, irreversible: false },
  budget: { calls: '10', usd: '1.50' },
  window: { not_before: '2026-01-01T00:00:00.000Z', expires_at: '2026-01-02T00:00:00.000Z' },
  delegation: { max_depth: 8, may_delegate: true },
}
const signature = { key_id: 'key-issuer', sig: encodeBase64(new Uint8Array(64)) }
const writ = { id: address, body, signature }

function problems(document: JsonValue): readonly string[] {
  const result = parseWrit(document)
  return result.ok ? [] : result.error.map(({ path }) => path.join('.'))
}

test('a writ is read as it came: nothing is normalised, so its id is what it was', () => {
  const result = parseWrit(writ)
  assert.ok(result.ok)
  assert.equal(toCanonicalText(result.value), toCanonicalText(writ))
  const other = { ...result.value.body, budget: { calls: '10', usd: '1.5' } }
  assert.notEqual(computeWritId(other, sha256), computeWritId(result.value.body, sha256))
})

test('key and parent may be absent', () => {
  const { subject_key: _k, parent: _p, ...rest } = body
  assert.deepEqual(problems({ ...writ, body: rest }), [])
})

test('what is missing or unknown is refused at its place', () => {
  assert.deepEqual(problems({}), ['id', 'body', 'signature'])
  assert.deepEqual(problems([]), [''])
  assert.deepEqual(problems({ ...writ, note: 1 }), ['note'])
  assert.deepEqual(problems({ ...writ, id: 'sha256:00' }), ['id'])
  for (const name of Object.keys(body)) {
    if (name === 'subject_key' || name === 'parent') continue
    const less: Record<string, JsonValue> = { ...body }
    delete less[name]
    assert.deepEqual(problems({ ...writ, body: less }), [`body.${name}`])
  }
})

const wrong: readonly JsonObject[] = [
  { tenant: '' },
  { subject_key: null },
  { audience: 'https://x' },
  { nonce: '019b76da-a800-4000-8000-000000000000' },
  { parent: 'sha256:0' },
  { scopes: [{ kind: 'B*Y' }] },
  { scopes: [{ kind: '' }] },
  { scopes: [{ kind: 'BUY', resources: { i: ['a*b'] } }] },
  { scopes: [{ kind: 'BUY', resources: { i: 'a' } }] },
  { scopes: [{ kind: 'BUY', extra: 1 }] },
  { scopes: Array.from({ length: 257 }, () => ({ kind: 'BUY' })) },
  { effect_ceiling: { ...body.effect_ceiling, read: 'yes' } },
  { effect_ceiling: { ...body.effect_ceiling, all: true } },
  { budget: { usd: 1.5 } },
  { budget: { usd: '-1' } },
  { budget: { calls: '0.5' } },
  { budget: { 'a b': '1' } },
  { window: { ...body.window, not_before: '2026-01-01' } },
  { window: { ...body.window, expires_at: '2027-01-01' } },
  { window: { ...body.window, expires_at: '2025-01-01T00:00:00.000Z' } },
  { window: { ...body.window, zone: 'UTC' } },
  { delegation: { max_depth: 9, may_delegate: true } },
  { delegation: { max_depth: -1, may_delegate: true } },
  { delegation: { max_depth: 1, may_delegate: 1 } },
  { delegation: { max_depth: 1, may_delegate: true, levels: 2 } },
  { note: 'x' },
]

test('wrong members of the body are refused, each once', () => {
  for (const change of wrong) {
    const found = problems({ ...writ, body: { ...body, ...change } })
    assert.equal(found.length, 1, `${JSON.stringify(change).slice(0, 80)}: ${found}`)
    assert.ok(found[0]?.startsWith(`body.${Object.keys(change)[0]}`))
  }
})

test('a signature is 64 bytes in their one spelling', () => {
  for (const sig of ['', 'AA==', 7, `${signature.sig.slice(0, -3)}B==`]) {
    assert.deepEqual(problems({ ...writ, signature: { ...signature, sig } }), ['signature.sig'])
  }
  assert.deepEqual(problems({ ...writ, signature: { ...signature, alg: 'none' } }), [
    'signature.alg',
  ])
})

test('a writ may be of any depth up to the most there is, also of none', () => {
  for (const max_depth of [0, 1, 8])
    assert.deepEqual(
      problems({ ...writ, body: { ...body, delegation: { max_depth, may_delegate: false } } }),
      [],
      String(max_depth),
    )
})

test('a part of a writ is judged again where it was refused, or can have changed', () => {
  const scopes = [{ kind: 'BUY' }]
  const withScopes = (part: JsonValue): JsonValue => ({ ...writ, body: { ...body, scopes: part } })
  assert.deepEqual(problems(withScopes(scopes)), [])
  scopes[0] = { kind: 'no kind' }
  assert.deepEqual(problems(withScopes(scopes)), ['body.scopes.0.kind'])
  const inner = { kind: 'BUY' }
  const outer = Object.freeze([inner])
  assert.deepEqual(problems(withScopes(outer)), [])
  inner.kind = 'no kind'
  assert.deepEqual(problems(withScopes(outer)), ['body.scopes.0.kind'])
  const wrong = Object.freeze([Object.freeze({ kind: 'no kind' })])
  for (let again = 0; again < 2; again += 1)
    assert.deepEqual(problems(withScopes(wrong)), ['body.scopes.0.kind'])
  const right = Object.freeze([Object.freeze({ kind: 'BUY' })])
  for (let again = 0; again < 2; again += 1) assert.deepEqual(problems(withScopes(right)), [])
})
