import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonValue } from 'rubicon-kernel'
import { parseDeltas } from './parse-delta.ts'

test('one delta is read, and a list of them', () => {
  const one = { op: 'addMember', target: 'class:A', fragment: 'm() {}', at: { after: null } }
  const read = parseDeltas(one)
  assert.ok(read.ok)
  assert.deepEqual(read.value, [one])
  const list = [one, { op: 'remove', target: 'class:B' }]
  const both = parseDeltas(list)
  assert.ok(both.ok)
  assert.deepEqual(both.value, list)
})

test('whatever is no delta is refused with its place', () => {
  const refused: readonly (readonly [JsonValue, string])[] = [
    [[], ''],
    ['remove', ''],
    [{ op: 'constructor' }, '/op'],
    [{ op: 'remove' }, '/target'],
    [{ op: 'remove', target: 1 }, '/target'],
    [{ op: 'remove', target: 'class:A', force: true }, '/force'],
    [
      [
        { op: 'remove', target: 'a:b' },
        { op: 'rename', target: 'a:b', name: null },
      ],
      '/1/name',
    ],
    [{ op: 'move', target: 'a:b', to: 'a:c', at: { after: 1 } }, '/at'],
    [{ op: 'move', target: 'a:b', to: 'a:c', at: { after: null, before: 'x' } }, '/at'],
    [{ op: 'addImport', from: 'a', name: 'b', type_only: 'yes' }, '/type_only'],
  ]
  for (const [value, pointer] of refused) {
    const read = parseDeltas(value)
    assert.ok(!read.ok, JSON.stringify(value))
    assert.equal(read.error.pointer, pointer)
  }
})
