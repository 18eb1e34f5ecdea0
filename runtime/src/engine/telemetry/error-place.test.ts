import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StoreError } from '../../ports/store.ts'
import { describeErrorPlace } from './error-place.ts'

test('an error is told by its kind and its place, never by its message', () => {
  const { error, where } = describeErrorPlace(new TypeError('postgres://jane:secret@host/db'))
  assert.equal(error, 'TypeError')
  assert.match(where ?? '', /^error-place\.test\.ts:\d+$/)
  assert.equal(
    describeErrorPlace(new StoreError('STORE_FULL', 'secret', 'secret')).error,
    'STORE_FULL',
  )
})

test('a message that looks like a place is not taken for one', () => {
  const error = new Error('oops\n    at run (/tmp/secret.ts:1:1)')
  assert.match(describeErrorPlace(error).where ?? '', /^error-place\.test\.ts:\d+$/)
})

test('a name that somebody gave himself is not told, and what is no error is an Error', () => {
  class Named extends Error {
    override name = 'jane@example.com'
  }
  assert.equal(describeErrorPlace(new Named('x')).error, 'Error')
  assert.deepEqual(describeErrorPlace('secret'), { error: 'Error' })
  const bare = new Error('x')
  bare.stack = 'rewritten'
  assert.deepEqual(describeErrorPlace(bare), { error: 'Error' })
})
