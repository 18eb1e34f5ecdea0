import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from 'rubicon-kernel'
import { compileSchema, type Validate } from './schema.ts'

function compiled(schema: JsonObject): Validate {
  const result = compileSchema(schema)
  assert.ok(result.ok, result.ok ? '' : result.error.summary)
  return result.value
}

test('a pattern is enforced, each schema its own', () => {
  const letters = compiled({ type: 'string', pattern: '^[a-z]+$' })
  const digits = compiled({ type: 'string', pattern: '^[0-9]+$' })
  assert.equal(letters('abc').length, 0)
  assert.equal(letters('123').length, 1)
  assert.equal(digits('123').length, 0)
  assert.equal(digits('abc').length, 1)
})

test('a pattern that would take a backtracking engine for ever is answered', () => {
  const check = compiled({ type: 'string', pattern: '^(a+)+$' })
  assert.equal(check(`${'a'.repeat(100)}b`).length, 1)
})

test('a back-reference is refused, and so is what is no schema', () => {
  const unsafe = compileSchema({ type: 'string', pattern: '^(a)\\1$' })
  assert.equal(unsafe.ok ? '' : unsafe.error.code, 'POLICY_REGEX_UNSAFE')
  const unknown = compileSchema({ type: 'strong' })
  assert.equal(unknown.ok ? '' : unknown.error.code, 'SCHEMA_REFUSED')
})

test('two schemas may carry the same $id', () => {
  const first = compiled({ $id: 'params', type: 'string' })
  const second = compiled({ $id: 'params', type: 'number' })
  assert.equal(first('a').length, 0)
  assert.equal(second(1).length, 0)
  assert.equal(second('a').length, 1)
})

test('an unknown member is named', () => {
  const check = compiled({ type: 'object', properties: {}, additionalProperties: false })
  assert.match(check({ colour: 'red' })[0]?.detail ?? '', /`colour`/)
})

test('what a log may show is said plainly or not at all, and changes no check', () => {
  const check = compiled({ type: 'string', 'x-log': 'plain' })
  assert.equal(check('a').length, 0)
  assert.equal(check(1).length, 1)
  const other = compileSchema({ type: 'string', 'x-log': 'always' })
  assert.equal(other.ok ? '' : other.error.code, 'SCHEMA_REFUSED')
})

test('the same schema is compiled once, in whatever order its members stand, and another one anew', () => {
  const [first, again, other] = [
    compileSchema({ type: 'object', properties: { a: { const: 1 } } }),
    compileSchema({ properties: { a: { const: 1 } }, type: 'object' }),
    compileSchema({ type: 'object', properties: { a: { const: 2 } } }),
  ]
  assert.ok(first.ok && again.ok && other.ok)
  assert.equal(first.value, again.value)
  assert.notEqual(first.value, other.value)
  assert.deepEqual(first.value({ a: 1 }), [])
  assert.notDeepEqual(other.value({ a: 1 }), [])
})
