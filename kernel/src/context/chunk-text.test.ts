import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { splitIntoChunks } from './chunk-text.ts'

const MOST = 1_200

test('a text without words has no pieces', () => {
  assert.deepEqual(splitIntoChunks(''), [])
  assert.deepEqual(splitIntoChunks(' \n\t\n \r\n'), [])
})

test('paragraphs that fit stand together, with one blank line between them', () => {
  assert.deepEqual(splitIntoChunks('one\nline\n \t\n\n  two  \n'), ['one\nline\n\ntwo'])
})

test('a paragraph that does not fit begins a new piece', () => {
  const fits = [`${'a'.repeat(600)}`, `${'b'.repeat(598)}`]
  assert.deepEqual(splitIntoChunks(fits.join('\n\n')), [fits.join('\n\n')])
  const over = [`${'a'.repeat(600)}`, `${'b'.repeat(599)}`, 'c']
  assert.deepEqual(splitIntoChunks(over.join('\n\n')), [over[0], `${over[1]}\n\nc`])
})

test('a long paragraph is cut at its last line end or space that fits', () => {
  const word = 'a'.repeat(MOST - 2)
  assert.deepEqual(splitIntoChunks(`${word} b c`), [`${word} b`, 'c'])
  assert.deepEqual(splitIntoChunks(`${word}\nb\nc d`), [`${word}\nb`, 'c d'])
  assert.deepEqual(splitIntoChunks(`a ${'b'.repeat(MOST)}`), ['a', 'b'.repeat(MOST)])
})

test('what has no space is cut in the middle, but not inside a character', () => {
  const [first, second] = splitIntoChunks('a'.repeat(MOST + 1))
  assert.deepEqual([first?.length, second?.length], [MOST, 1])
  const pairs = splitIntoChunks(`a${'🙂'.repeat(MOST / 2)}`)
  assert.deepEqual(
    pairs.map(({ length }) => length),
    [MOST - 1, 2],
  )
  assert.ok(pairs.every((piece) => piece.isWellFormed()))
})

test('no piece is empty or too long, nothing is lost, and pieces are pieces again', () => {
  const word = fc.string({ unit: 'grapheme-ascii', maxLength: 700 })
  const text = fc
    .array(fc.oneof(word, fc.constantFrom('\n', '\n\n', ' ', '\r\n', '🙂', '  ')))
    .map((parts) => parts.join(''))
  const solid = (one: string): string => one.replaceAll(/\s/g, '')
  fc.assert(
    fc.property(text, (document) => {
      const pieces = splitIntoChunks(document)
      assert.equal(solid(pieces.join('')), solid(document))
      for (const piece of pieces) {
        assert.ok(piece.length > 0 && piece.length <= MOST)
        assert.deepEqual(splitIntoChunks(piece), [piece])
      }
    }),
  )
})
