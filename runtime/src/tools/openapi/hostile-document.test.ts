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
