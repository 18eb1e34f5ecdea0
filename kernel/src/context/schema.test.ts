import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSchemaAccepted } from './schema.ts'

test('a contract that asks for nothing takes what there is', () => {
  assert.ok(isSchemaAccepted(undefined, '1.0'))
})

test('the version itself, its major number, and any of that number are accepted', () => {
  for (const wanted of ['1.4', '1', '1.x']) assert.ok(isSchemaAccepted(wanted, '1.4'), wanted)
  for (const wanted of ['12.0', '12', '12.x']) assert.ok(isSchemaAccepted(wanted, '12.0'), wanted)
})

test('another version, and whatever is none, is not', () => {
  for (const wanted of ['1.3', '1.40', '2', '2.x', '0.x', '11', '1.', '1.X', '', '>=1.0', '*', 'x'])
    assert.ok(!isSchemaAccepted(wanted, '1.4'), wanted)
})
