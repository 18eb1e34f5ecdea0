import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isNewerVersion } from './newer-version.ts'

test('versions of one name are compared by their numbers', () => {
  assert.equal(isNewerVersion('k/0.10.0', 'k/0.9.0'), true)
  assert.equal(isNewerVersion('k/0.9.0', 'k/0.10.0'), false)
  assert.equal(isNewerVersion('k/1', 'k/1.0.0'), false)
  assert.equal(isNewerVersion('k/1.0.1', 'k/1'), true)
})

test('what cannot be compared is not newer', () => {
  assert.equal(isNewerVersion('b/2', 'a/1'), false)
  assert.equal(isNewerVersion('k/2', 'sha256:a'), false)
  assert.equal(isNewerVersion('sha256:a', 'k/1'), false)
  for (const odd of ['k/two', 'k/2-rc', 'k/2.', 'k/', 'k/-2', 'k/1e9', 'k/02', '/2'])
    assert.equal(isNewerVersion(odd, 'k/1'), false, odd)
})
