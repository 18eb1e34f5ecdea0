import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toVisiblePieces, toVisibleText } from './visible-text.ts'

test('plain text, letters of all scripts, line breaks and markup stay as they are', () => {
  for (const text of ['refund 20.00', 'Größe · 金額 · مبلغ', 'a\n\tb', '<b>bold</b>', '👍🏽'])
    assert.equal(toVisibleText(text), text)
})

test('what the eye cannot see is written out', () => {
  assert.equal(toVisibleText('pay\u202e00.02'), 'pay\\u{202e}00.02')
  assert.equal(toVisibleText('ad\u200bmin'), 'ad\\u{200b}min')
  assert.equal(toVisibleText('\u001b[31mred'), '\\u{1b}[31mred')
  assert.equal(toVisibleText('\ud800'), '\\u{d800}')
  assert.equal(toVisibleText('\u{e0041}'), '\\u{e0041}')
})

test('the first and the last of a range are escaped, their neighbours are not', () => {
  const escaped = (code: number): boolean =>
    toVisiblePieces(String.fromCodePoint(code)).some((piece) => piece.escaped)
  for (const code of [0x08, 0x0b, 0x1f, 0x7f, 0x9f, 0x200b, 0x200f, 0x2028, 0x202e])
    assert.equal(escaped(code), true, code.toString(16))
  for (const code of [0x09, 0x0a, 0x20, 0x7e, 0xa0, 0x200a, 0x2010, 0x2027, 0x202f])
    assert.equal(escaped(code), false, code.toString(16))
})

test('pieces keep their order', () => {
  assert.deepEqual(toVisiblePieces('a\u0000b'), [
    { text: 'a', escaped: false },
    { text: '\\u{0}', escaped: true },
    { text: 'b', escaped: false },
  ])
})
