import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject, JsonValue } from 'rubicon-kernel'
import { parsePointer } from 'rubicon-kernel'
import { hasSchemaPlace } from './schema-places.ts'

function has(schema: JsonObject, text: string): boolean {
  const pointer = parsePointer(text)
  assert.ok(pointer !== undefined, text)
  return hasSchemaPlace(schema, pointer)
}

const text: JsonObject = { type: 'string' }
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => {
  return { type: 'object', properties, ...more }
}

test('a member that the schema lists can be there, and one that it does not list cannot', () => {
  for (const more of [{}, { additionalProperties: false }, { additionalProperties: true }]) {
    const schema = object({ to: object({ account: text }) }, more)
    assert.equal(has(schema, '/to'), true)
    assert.equal(has(schema, '/to/account'), true)
    assert.equal(has(schema, '/two'), false)
    assert.equal(has(schema, '/to/acount'), false)
    assert.equal(has(schema, '/to/account/iban'), false, 'text has no members')
    assert.equal(has(schema, '/to/*'), false)
  }
})

test('elements stand in arrays', () => {
  const schema = object({
    payments: { type: 'array', items: object({ account: text }) },
    pair: { type: 'array', prefixItems: [text, object({ b: text })], items: false },
    many: { type: 'array' },
  })
  assert.equal(has(schema, '/payments/*/account'), true)
  assert.equal(has(schema, '/payments/0/account'), true)
  assert.equal(has(schema, '/payments/account'), false)
  assert.equal(has(schema, '/payments/*/iban'), false)
  assert.equal(has(schema, '/pair/*/b'), true)
  assert.equal(has(schema, '/pair/*/c'), false)
  assert.equal(has(schema, '/many/*/anything'), true)
})

test('what says nothing of its members may have any', () => {
  assert.equal(has({}, '/a/b'), true)
  assert.equal(has({ type: 'object' }, '/a/*'), true)
  assert.equal(has({ type: ['object', 'null'] }, '/a'), true)
  assert.equal(has({ type: 'string' }, '/a'), false)
  assert.equal(has({ type: 'array' }, '/0'), true)
  assert.equal(has({ type: 'object', additionalProperties: false }, '/a'), false)
  assert.equal(has(object({ a: true }), '/a/b/c'), true)
  assert.equal(has(object({ a: false }), '/a'), false)
})

test('a map has every name, with members as its schema says', () => {
  const map = object({ kind: text }, { additionalProperties: object({ iban: text }) })
  assert.equal(has(map, '/ann/iban'), true)
  assert.equal(has(map, '/ann/bic'), false)
  const patterned: JsonObject = { type: 'object', patternProperties: { '^x': text } }
  assert.equal(has(patterned, '/x1'), true)
})

test('what is joined counts, and what lies elsewhere may hold anything', () => {
  const account = object({ account: text })
  const joins: readonly JsonObject[] = [
    { allOf: [account] },
    { anyOf: [object({ other: text }), account] },
    { oneOf: [object({ other: text }), account] },
    { if: {}, ...Object.fromEntries([['then', account]]) },
    { if: {}, else: account },
    { $ref: '#/$defs/a~1b', $defs: { 'a/b': account } },
  ]
  for (const schema of joins) {
    assert.equal(has(schema, '/account'), true, JSON.stringify(schema))
    assert.equal(has(schema, '/acount'), false, JSON.stringify(schema))
  }
  const self: JsonValue = object({ next: { $ref: '#' }, account: text })
  assert.equal(has(self, '/next/next/account'), true)
  assert.equal(has(self, '/next/next/acount'), false)
  for (const $ref of ['https://example.com/s.json', '#/$defs/none', '#a%20b', '#anchor'])
    assert.equal(has({ $ref }, '/anything'), true)
  assert.equal(has({ $dynamicRef: '#x' }, '/anything'), true)
})
