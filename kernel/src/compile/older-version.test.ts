import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOlderVersion } from './older-version.ts'

test('versions of one name are compared by their numbers', () => {
  assert.equal(isOlderVersion('k/0.9.0', 'k/0.10.0'), true)
  assert.equal(isOlderVersion('k/0.10.0', 'k/0.9.0'), false)
  assert.equal(isOlderVersion('k/1', 'k/1.0.0'), false)
  assert.equal(isOlderVersion('k/1', 'k/1.0.1'), true)
})

test('what cannot be compared is not older', () => {
  assert.equal(isOlderVersion('a/1', 'b/2'), false)
  assert.equal(isOlderVersion('sha256:a', 'k/1'), false)
  assert.equal(isOlderVersion('k/1', 'sha256:a'), false)
  assert.equal(isOlderVersion('k/one', 'k/2'), false)
})
