import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WorldResource } from 'rubicon-agents/client'
import { buildWorldRows, formatValue, parseName, toResourceName } from './world-rows.ts'

function resource(id: string, version: number): WorldResource {
  const entry = { seq: version, id: 'sha256:0', at: '', dfid: null }
  return { kind: 'order', id, version, value: version, retracted: false, entry }
}

test('rows are those of the last entry, in its order, whatever was there before', () => {
  const head = { resources: [resource('a', 3), resource('b', 1), resource('c', 2)] }
  const then = { resources: [resource('a', 2), resource('c', 2)] }
  const before = { version: 1, value: 1, retracted: false }
  const changes = { resources: [{ ...resource('a', 2), before }] }
  const rows = buildWorldRows(head, then, changes)
  assert.deepEqual(
    rows.map(({ id, resource: found, changed }) => [id, found?.version ?? null, changed]),
    [
      ['a', 2, true],
      ['b', null, false],
      ['c', 2, false],
    ],
  )
  assert.deepEqual(rows[0]?.before, before)
  assert.deepEqual(
    buildWorldRows(head, head, null).map(({ name }) => name),
    ['order/a', 'order/b', 'order/c'],
  )
})

test('a name is read back, slashes and all', () => {
  for (const id of ['o_1', 'a/b', '/', ''])
    assert.deepEqual(parseName(toResourceName({ kind: 'order', id })), { kind: 'order', id })
  for (const name of ['', 'order', '/x']) assert.equal(parseName(name), null)
})

test('a long value is shortened', () => {
  assert.equal(formatValue('20.00'), '20.00')
  assert.equal(formatValue({ a: null }), '{"a":null}')
  assert.equal(formatValue('x'.repeat(121)).length, 120)
  assert.equal(formatValue('x'.repeat(120)), 'x'.repeat(120))
})
