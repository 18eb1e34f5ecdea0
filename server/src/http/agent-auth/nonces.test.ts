import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import { Nonces } from './nonces.ts'

const WINDOW = LIMITS.proofMs / 1000
const NOW = 1_800_000_000

test('a nonce is taken once for as long as its signature counts', () => {
  const nonces = new Nonces()
  for (const created of [NOW - WINDOW, NOW, NOW + WINDOW]) {
    const nonce = `n${created}`
    assert.equal(nonces.take('a', created, nonce, NOW), 'new')
    // It counts until so long after it was signed.
    for (let now = NOW; now <= created + WINDOW; now++)
      assert.equal(nonces.take('a', created, nonce, now), 'known', `${created} at ${now}`)
  }
})

test('agents have nonces of their own', () => {
  const nonces = new Nonces()
  assert.equal(nonces.take('a', NOW, 'n', NOW), 'new')
  assert.equal(nonces.take('b', NOW, 'n', NOW), 'new')
  assert.equal(nonces.has('a', NOW, 'n'), true)
  assert.equal(nonces.has('c', NOW, 'n'), false)
})

test('an agent has room for so many, both sides of the boundary, and others have theirs', () => {
  const nonces = new Nonces()
  for (let i = 0; i < LIMITS.proofNonces; i++) nonces.take('a', NOW, `n${i}`, NOW)
  assert.equal(nonces.take('a', NOW, 'one more', NOW), 'full')
  assert.equal(nonces.take('a', NOW, 'n0', NOW), 'known')
  assert.equal(nonces.take('b', NOW, 'n', NOW), 'new')
  const later = NOW + 3 * WINDOW
  assert.equal(nonces.take('a', later, 'one more', later), 'new')
})
