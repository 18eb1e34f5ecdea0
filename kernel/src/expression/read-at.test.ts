import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../canonical/json-value.ts'
import { readAt } from './read-at.ts'

const ROOT: JsonObject = { list: ['a', 'b', ['c']], '': 'empty', '0': 'zero', of: { list: null } }

test('an element is named by its number, in plain digits', () => {
  assert.equal(readAt(ROOT, '/list/0'), 'a')
  assert.equal(readAt(ROOT, '/list/1'), 'b')
  assert.equal(readAt(ROOT, '/list/2/0'), 'c')
  for (const name of [
    '3',
    '00',
    '01',
    '-1',
    '+1',
    '1e0',
    '1.0',
    '',
    ' 1',
    '0x1',
    '-',
    'length',
    '9'.repeat(400),
  ])
    assert.equal(readAt(ROOT, `/list/${name}`), undefined, name)
  const long = Array.from({ length: 101 }, (_, at) => at)
  assert.deepEqual([readAt(long, '/10'), readAt(long, '/100')], [10, 100])
})

test('a member is named by its own name, whatever that is', () => {
  assert.equal(readAt(ROOT, '/'), 'empty')
  assert.equal(readAt(ROOT, '/0'), 'zero')
  assert.equal(readAt(ROOT, '/of/list'), null)
  assert.equal(readAt(ROOT, ''), ROOT)
  for (const place of ['/of/list/0', '/none', '/none/of', '/toString', 'list'])
    assert.equal(readAt(ROOT, place), undefined, place)
})
