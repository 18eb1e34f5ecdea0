import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isHash, shortenHash, shortenHashes, shortenUuids, splitHashes } from './hash-pieces.ts'

const HASH = `${'0a'.repeat(16)}${'1b'.repeat(16)}`

test('a hash keeps both ends, and its prefix', () => {
  assert.equal(shortenHash(HASH), '0a0a0a0a0a0a…1b1b1b1b1b1b')
  assert.equal(shortenHash(`sha256:${HASH}`), 'sha256:0a0a0a0a0a0a…1b1b1b1b1b1b')
})

test('hashes are found in a text, and nothing of it is lost', () => {
  for (const text of ['', 'plan', HASH, `plan ${HASH}, file a.ts`, `${HASH} sha256:${HASH}`]) {
    const pieces = splitHashes(text)
    assert.equal(pieces.map((piece) => piece.text).join(''), text)
    assert.equal(pieces.filter((piece) => piece.isHash).length, text.split(HASH).length - 1)
  }
})

test('what is a digit longer or shorter, or has another letter, is shown whole', () => {
  for (const text of [`${HASH}0`, HASH.slice(1), HASH.toUpperCase(), `${HASH.slice(1)}g`]) {
    assert.equal(isHash(text), false)
    assert.deepEqual(splitHashes(text), [{ text, isHash: false }])
  }
})

test('hashes in a text are shortened, and nothing else', () => {
  assert.equal(shortenHashes(`{"is":"${HASH}","n":1}`), '{"is":"0a0a0a0a0a0a…1b1b1b1b1b1b","n":1}')
  assert.equal(shortenHashes('nothing to shorten'), 'nothing to shorten')
})

test('in a list an id is told by its ends', () => {
  const id = '01a1f15b-6bcb-7b13-9909-210047f05208'
  assert.equal(
    shortenUuids(`escalation ${id}:1 of ${id}`),
    'escalation 01a1…f05208:1 of 01a1…f05208',
  )
  assert.equal(shortenUuids('order 4711-12'), 'order 4711-12')
})
