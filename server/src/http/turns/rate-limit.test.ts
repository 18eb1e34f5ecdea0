import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RateLimit } from './rate-limit.ts'

test('a bucket holds so much at once and fills by itself', () => {
  let now = 0
  const limit = new RateLimit({ perSecond: 2, atOnce: 3 }, 10, { monotonic: () => now })
  assert.deepEqual(
    [1, 2, 3, 4].map(() => limit.take('a')),
    [true, true, true, false],
  )
  now = 499
  assert.equal(limit.take('a'), false)
  now = 500
  assert.equal(limit.take('a'), true)
  assert.equal(limit.take('a'), false)
  now = 1_000_000
  assert.deepEqual(
    [1, 2, 3, 4].map(() => limit.take('a')),
    [true, true, true, false],
  )
})

test('each name has its own, and who was silent while others asked is forgotten', () => {
  const limit = new RateLimit({ perSecond: 0, atOnce: 1 }, 2, { monotonic: () => 0 })
  assert.equal(limit.take('a'), true)
  assert.equal(limit.take('b'), true)
  assert.equal(limit.take('a'), false)
  assert.equal(limit.take('c'), true)
  assert.equal(limit.take('a'), false)
  assert.equal(limit.take('b'), true)
})
