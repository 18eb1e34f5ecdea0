import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { isIn, type Range, toCodePoint } from './code-point.ts'
import { INVISIBLE } from './sanitise.ts'
import { foldAscii, IDEOGRAPHS, SEPARATORS, splitWords } from './words.ts'

const PAGE = readFileSync(new URL('../../../docs/spec/context.md', import.meta.url), 'utf8')

test('words are letters and digits, folded in ASCII, in their order', () => {
  assert.deepEqual(splitWords('Refunds: max. 20.00 EUR (per order), REFUNDS!'), [
    'refunds',
    'max',
    '20',
    '00',
    'eur',
    'per',
    'order',
    'refunds',
  ])
  assert.deepEqual(splitWords('@AZ[`az{/09:'), ['az', 'az', '09'])
  assert.deepEqual(splitWords(''), [])
  assert.deepEqual(splitWords(' - '), [])
})

test('other scripts are kept as they are, case included', () => {
  assert.deepEqual(splitWords('Überweisung ÜBERWEISUNG'), ['Überweisung', 'Überweisung'])
  assert.deepEqual(splitWords('Лимит — 500 €'), ['Лимит', '500'])
  assert.deepEqual(splitWords('“don’t”…'), ['don', 't'])
})

test('ideographs and kana are words of one character', () => {
  assert.deepEqual(splitWords('返金limit上限、です'), ['返', '金', 'limit', '上', '限', 'で', 'す'])
  assert.deepEqual(splitWords('a𠀀b'), ['a', '𠀀', 'b'])
})

test('pictures and halves of pairs separate words', () => {
  assert.deepEqual(splitWords('a🙂b\ud800c\udc00d'), ['a', 'b', 'c', 'd'])
})

test('a word of 64 characters is whole, a longer one is cut there', () => {
  assert.deepEqual(splitWords('a'.repeat(64)), ['a'.repeat(64)])
  assert.deepEqual(splitWords(`${'a'.repeat(65)} b`), ['a'.repeat(64), 'b'])
  assert.deepEqual(splitWords('𝒜'.repeat(65)), ['𝒜'.repeat(64)])
})

test('folding touches nothing but the capitals of ASCII', () => {
  assert.equal(foldAscii('@AMZ[ÄÉΣ𝒜'), '@amz[ÄÉΣ𝒜')
})

test('the words of the words are the words', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const found = splitWords(text)
      assert.deepEqual(splitWords(found.join(' ')), found)
    }),
  )
})

test('the code of a character is its code point, and that of half a pair its own', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      for (const character of text) assert.equal(toCodePoint(character), character.codePointAt(0))
    }),
  )
  assert.equal(toCodePoint('\udbff'), 0xdbff)
  assert.equal(toCodePoint('\u{10ffff}'), 0x10ffff)
})

test('ranges hold both their ends and nothing beside them', () => {
  const ranges: readonly Range[] = [
    [2, 3],
    [5, 5],
  ]
  const inside = [1, 2, 3, 4, 5, 6].filter((code) => isIn(ranges, code))
  assert.deepEqual(inside, [2, 3, 5])
})

test('the tables are in order, and stand in the specification', () => {
  for (const table of [SEPARATORS, IDEOGRAPHS, INVISIBLE]) {
    const flat = table.flat()
    for (const [from, to] of table) assert.ok(from <= to)
    assert.deepEqual(
      flat,
      flat.toSorted((a, b) => a - b),
    )
    const written = table.map(rangeText).join(', ')
    // All of it, from its first range to its last.
    const whole = new RegExp(`(?<!, )${written}(?!,)`)
    assert.match(PAGE.replaceAll('\n', ' '), whole)
  }
})

function rangeText([from, to]: Range): string {
  const hex = (code: number): string => code.toString(16).toUpperCase().padStart(4, '0')
  return from === to ? hex(from) : `${hex(from)}–${hex(to)}`
}
