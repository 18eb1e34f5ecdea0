import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isHash, shortenHash, splitHashes } from './hash-pieces.ts'

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
