import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { applySplices, invertSplices, type Splice, sortSplices } from './splice.ts'

const TEXT = 'one two three'

/** Splices of a text that are in order and do not overlap. */
function splicesOf(length: number): fc.Arbitrary<readonly Splice[]> {
  return fc
    .array(fc.tuple(fc.nat(length), fc.string({ maxLength: 5 })), { maxLength: 12 })
    .map((cuts) => {
      const sorted = [...cuts].sort((a, b) => a[0] - b[0])
      const splices: Splice[] = []
      for (let i = 0; i + 1 < sorted.length; i += 2) {
        const [[start = 0, text = ''] = [], [end = 0] = []] = [sorted[i], sorted[i + 1]]
        splices.push({ start, end, text })
      }
      return splices
    })
}

const TEXT_AND_SPLICES = fc
  .string({ maxLength: 60, unit: 'grapheme' })
  .chain((text) => fc.tuple(fc.constant(text), splicesOf(text.length)))

test('what is recorded as the inverse gives the text before, unit by unit', () => {
  fc.assert(
    fc.property(TEXT_AND_SPLICES, ([text, splices]) => {
      const after = applySplices(text, splices)
      assert.ok(after !== null)
      assert.equal(applySplices(after, invertSplices(text, splices)), text)
    }),
  )
})

test('parts of a change that overlap, or lie outside of the text, are no change', () => {
  const cut = (start: number, end: number): Splice => ({ start, end, text: 'x' })
  assert.equal(applySplices(TEXT, [cut(0, 4), cut(3, 5)]), null)
  assert.equal(applySplices(TEXT, [cut(4, 3)]), null)
  assert.equal(applySplices(TEXT, [cut(0, 14)]), null)
  assert.equal(applySplices(TEXT, [cut(13, 13)]), `${TEXT}x`)
})

test('several insertions at one point stand in the order that they are given in', () => {
  const at = (text: string): Splice => ({ start: 3, end: 3, text })
  const given = [{ start: 5, end: 6, text: '-' }, at('a'), { start: 3, end: 4, text: '_' }, at('b')]
  assert.equal(applySplices(TEXT, sortSplices(given)), 'oneab_t-o three')
})
