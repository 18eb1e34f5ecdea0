import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type JsonValue, toCanonicalText } from 'rubicon-kernel'
import { isSameJson } from './same-json.ts'

const VALUES: readonly JsonValue[] = [
  null,
  true,
  0,
  '0',
  '',
  [],
  [0],
  [0, 1],
  [[]],
  {},
  { a: 0 },
  { a: 1 },
  { b: 0 },
  { a: 0, b: 0 },
  { 0: 0 },
  { a: [] },
  { a: {} },
]

test('two documents are the same where their canonical texts are', () => {
  for (const a of VALUES)
    for (const b of VALUES) {
      const copy = JSON.parse(JSON.stringify(b)) as JsonValue
      const wanted = toCanonicalText(a) === toCanonicalText(b)
      assert.equal(isSameJson(a, copy), wanted, `${JSON.stringify(a)} and ${JSON.stringify(b)}`)
    }
})

test('what is absent is the same as what is absent, and as nothing else', () => {
  assert.ok(isSameJson(undefined, undefined))
  for (const value of VALUES)
    assert.ok(!isSameJson(undefined, value) && !isSameJson(value, undefined))
})
