import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject, JsonValue } from 'rubicon-kernel'
import { compileSchema } from '../../capabilities/index.ts'
import { convertToolSchema } from './convert-tool-schema.ts'

const NAMED: JsonObject = { type: 'object', properties: { path: { type: 'string' } } }

function isAllowed(schema: JsonObject, args: JsonObject): boolean {
  const converted = convertToolSchema(schema)
  if (!converted.ok) return false
  const compiled = compileSchema(converted.value)
  assert.ok(compiled.ok)
  return compiled.value(args).length === 0
}

test('an argument that a schema does not name is not sent, whatever the schema says of others', () => {
  const others: readonly JsonValue[] = [true, {}, { type: 'string' }]
  for (const additionalProperties of others) {
    const schema = { ...NAMED, additionalProperties }
    assert.equal(isAllowed(schema, { path: 'a' }), true)
    assert.equal(isAllowed(schema, { path: 'a', file: 'b' }), false, JSON.stringify(schema))
  }
  const byPattern = { ...NAMED, patternProperties: { '^f': { type: 'string' } } }
  assert.equal(isAllowed(byPattern, { path: 'a', file: 'b' }), false)
  assert.equal(isAllowed({ type: 'object', additionalProperties: true }, { file: 'b' }), false)
})

test('a member of an argument may have any name where the schema says so', () => {
  const labels = { type: 'object', additionalProperties: { type: 'string' } }
  const schema = { type: 'object', properties: { labels } }
  assert.equal(isAllowed(schema, { labels: { a: 'b' } }), true)
  assert.equal(isAllowed(schema, { labels: { a: 1 } }), false)
})
