import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeceiving } from './deceiving.ts'
import { INVISIBLE } from './sanitise.ts'

test('the first and the last of a range deceive, their neighbours do not', () => {
  for (const code of [0x08, 0x0b, 0x1f, 0x7f, 0x9f, 0x34f, 0x1160, 0x2028, 0x2029, 0x202e])
    assert.equal(isDeceiving(code), true, code.toString(16))
  for (const code of [0x09, 0x0a, 0x20, 0x7e, 0xa0, 0x350, 0x115e, 0x1161, 0x2027, 0x202f])
    assert.equal(isDeceiving(code), false, code.toString(16))
  for (const code of [0x180b, 0x180f, 0xfe00, 0xfe0f, 0xfff0, 0xfffb, 0x1d173, 0x1d17a, 0xe0fff])
    assert.equal(isDeceiving(code), true, code.toString(16))
  for (const code of [0x180a, 0x1810, 0xfdff, 0xfe10, 0xffef, 0xfffc, 0x1d172, 0x1d17b, 0xe1000])
    assert.equal(isDeceiving(code), false, code.toString(16))
})

test('blanks in the guise of letters deceive, the letters beside them do not', () => {
  for (const code of [0x115f, 0x1160, 0x17b4, 0x17b5, 0x3164, 0xffa0, 0xfff8])
    assert.equal(isDeceiving(code), true, code.toString(16))
  for (const code of [0x34e, 0x17b3, 0x17b6, 0x3163, 0x3165, 0xff9f, 0xffa1])
    assert.equal(isDeceiving(code), false, code.toString(16))
})

test('whatever is taken out of a text that is kept deceives on a screen', () => {
  for (const [from, to] of INVISIBLE)
    for (let code = from; code <= to; code += 1) assert.ok(isDeceiving(code), code.toString(16))
})

test('letters, marks and signs of scripts do not', () => {
  for (const character of ['é', 'ß', 'م', '金', 'क', '€', '\u0301', '👍'])
    assert.equal(isDeceiving(character.codePointAt(0) ?? 0), false, character)
})
