/** Documents that are written to become another tool than they seem. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject, JsonValue } from 'rubicon-kernel'
import { draftOperations } from './import-operations.ts'
import { listOperations } from './list-operations.ts'

const STRING = { type: 'string' }

function draft(operation: JsonObject, path = '/orders', more: JsonObject = {}): JsonValue {
  const document: JsonObject = {
    openapi: '3.1.0',
    servers: [{ url: 'https://shop.example' }],
    paths: { [path]: { post: { operationId: 'op', responses: { 200: {} }, ...operation } } },
    ...more,
  }
  const operations = listOperations(document)
  assert.ok(operations.ok)
  const drafts = draftOperations({ document, operations: operations.value }, ['op'], () => null)
  if (!drafts.ok) return drafts.error.summary
  return JSON.parse(JSON.stringify(drafts.value[0]?.manifest))
}

const query = (name: string): JsonObject => ({ name, in: 'query', required: true, schema: STRING })

test('a parameter that is called like a member of every object is not left out in silence', () => {
  for (const name of ['__proto__', 'constructor', 'prototype'])
    assert.match(String(draft({ parameters: [query(name)] })), /cannot have that name/, name)
  const taken = draft({ parameters: [query('toString')] }) as { params: { required: string[] } }
  assert.deepEqual(taken.params.required, ['toString'])
})

/** What of a draft with this body somebody has to decide. */
function listUndecided(schema: JsonValue): readonly string[] {
  const requestBody = { required: true, content: { 'application/json': { schema } } }
  return (draft({ requestBody }) as { undecided: readonly string[] }).undecided
}

test('a body that may hold what nobody named is not taken for decided', () => {
  const text = { type: 'string' }
  const list = (items: JsonValue): JsonObject => ({ type: 'array', items })
  const open: readonly JsonValue[] = [
    true,
    {},
    { type: 'object' },
    { type: 'array' },
    list({}),
    { properties: { a: {} } },
    { properties: { a: { type: 'object' } } },
    { properties: { a: text }, additionalProperties: true },
    { type: ['string', 'object'] },
    { oneOf: [{ properties: { a: text } }, { type: 'object' }] },
    { allOf: [{ properties: { a: text } }, { properties: { b: text } }] },
  ]
  for (const schema of open)
    assert.ok(listUndecided(schema).includes('body'), JSON.stringify(schema))
  const closed: readonly JsonValue[] = [
    { properties: { a: text, b: list(text) } },
    { oneOf: [{ properties: { a: text } }, text] },
    { enum: [1, { a: 1 }] },
    { type: ['string', 'null'] },
    list({ properties: { a: { type: 'integer' } } }),
  ]
  for (const schema of closed)
    assert.ok(!listUndecided(schema).includes('body'), JSON.stringify(schema))
})
