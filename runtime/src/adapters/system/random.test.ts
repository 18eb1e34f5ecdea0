import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemRandom } from './random.ts'

test('random bytes are not the wiped pool, and no two draws are the same', () => {
  const drawn = Array.from({ length: 2000 }, () => systemRandom.bytes(10))
  assert.equal(new Set(drawn.map((bytes) => bytes.join())).size, drawn.length)
  assert.ok(drawn.every((bytes) => bytes.length === 10 && bytes.some((byte) => byte !== 0)))
})

test('a draw larger than the pool is whole', () => {
  const large = systemRandom.bytes(10_000)
  assert.equal(large.length, 10_000)
  assert.ok(large.subarray(9_000).some((byte) => byte !== 0))
})
