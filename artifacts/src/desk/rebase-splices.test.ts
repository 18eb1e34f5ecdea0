import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applySplices, type Splice } from '../text/splice.ts'
import { rebaseSplices } from './rebase-splices.ts'

const TEXT = 'use { f } of a'

function applyBoth(first: Splice, second: Splice): string | null {
  const moved = rebaseSplices([second], [first])
  const text = applySplices(TEXT, [first])
  return moved === null || text === null ? null : applySplices(text, moved)
}

test('splices that only touch come to one text in either order', () => {
  const word = { start: 6, end: 7, text: 'long' }
  for (const other of [
    { start: 7, end: 7, text: ', g' },
    { start: 6, end: 6, text: 'g, ' },
    { start: 0, end: 3, text: 'take' },
    { start: 13, end: 14, text: '' },
  ]) {
    const text = applyBoth(word, other)
    assert.equal(text, applyBoth(other, word))
    assert.match(text ?? '', /\blong\b/u)
  }
})

test('splices at one place, or over one another, are not guessed at', () => {
  const put = { start: 6, end: 6, text: 'a' }
  const word = { start: 6, end: 7, text: 'b' }
  assert.equal(rebaseSplices([put], [{ ...put, text: 'c' }]), null)
  assert.equal(rebaseSplices([word], [{ ...word, text: 'c' }]), null)
  assert.equal(rebaseSplices([word], [{ start: 4, end: 9, text: '' }]), null)
  assert.equal(
    rebaseSplices([{ start: 5, end: 5, text: 'x' }], [{ start: 4, end: 9, text: '' }]),
    null,
  )
})
