import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import { readCallNames } from './call-names.ts'

test('a number and its text are two calls, and an id without a conversation is none', () => {
  const [number, text] = [readCallNames('c', 1, {}), readCallNames('c', '1', {})]
  assert.deepEqual(number, { call: { conversation: 'c', id: '1' } })
  assert.deepEqual(text, { call: { conversation: 'c', id: '"1"' } })
  assert.deepEqual(readCallNames(undefined, 1, undefined), {})
})

test('an id that is too long to be told is no name; a key that is, is refused', () => {
  const long = 'x'.repeat(LIMITS.noteLength + 1)
  assert.deepEqual(readCallNames('c', long, {}), {})
  const readKey = (key: unknown): unknown =>
    readCallNames('c', long, { 'rubicon/idempotencyKey': key })
  assert.deepEqual(readKey('k'), { key: 'k' })
  assert.deepEqual(readKey(long.slice(1)), { key: long.slice(1) })
  for (const key of [long, '', 1, null, {}, '\ud800']) assert.equal(readKey(key), null)
})
