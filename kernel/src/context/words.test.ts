import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { codePoint, isIn, type Range } from './code-point.ts'
import { INVISIBLE } from './sanitise.ts'
import { foldAscii, IDEOGRAPHS, SEPARATORS, words } from './words.ts'

const PAGE = readFileSync(new URL('../../../docs/spec/context.md', import.meta.url), 'utf8')

test('words are letters and digits, folded in ASCII, in their order', () => {
  assert.deepEqual(words('Refunds: max. 20.00 EUR (per order), REFUNDS!'), [
    'refunds',
    'max',
    '20',
    '00',
    'eur',
    'per',
    'order',
    'refunds',
  ])
  assert.deepEqual(words('@AZ[`az{/09:'), ['az', 'az', '09'])
  assert.deepEqual(words(''), [])
  assert.deepEqual(words(' - '), [])
})

test('other scripts are kept as they are, case included', () => {
  assert.deepEqual(words('Überweisung ÜBERWEISUNG'), ['Überweisung', 'Überweisung'])
  assert.deepEqual(words('Лимит — 500 €'), ['Лимит', '500'])
  assert.deepEqual(words('“don’t”…'), ['don', 't'])
})

test('ideographs and kana are words of one character', () => {
  assert.deepEqual(words('返金limit上限、です'), ['返', '金', 'limit', '上', '限', 'で', 'す'])
  assert.deepEqual(words('a𠀀b'), ['a', '𠀀', 'b'])
})

test('pictures and halves of pairs separate words', () => {
  assert.deepEqual(words('a🙂b\ud800c\udc00d'), ['a', 'b', 'c', 'd'])
})

test('a word of 64 characters is whole, a longer one is cut there', () => {
  assert.deepEqual(words('a'.repeat(64)), ['a'.repeat(64)])
  assert.deepEqual(words(`${'a'.repeat(65)} b`), ['a'.repeat(64), 'b'])
  assert.deepEqual(words('𝒜'.repeat(65)), ['𝒜'.repeat(64)])
})

test('folding touches nothing but the capitals of ASCII', () => {
  assert.equal(foldAscii('@AMZ[ÄÉΣ𝒜'), '@amz[ÄÉΣ𝒜')
})

test('the words of the words are the words', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const found = words(text)
      assert.deepEqual(words(found.join(' ')), found)
    }),
  )
})

test('the code of a character is its code point, and that of half a pair its own', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      for (const character of text) assert.equal(codePoint(character), character.codePointAt(0))
    }),
  )
  assert.equal(codePoint('\udbff'), 0xdbff)
  assert.equal(codePoint('\u{10ffff}'), 0x10ffff)
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
