import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isBlank } from './is-blank.ts'

test('what nobody sees is blank, and one letter among it is not', () => {
  const unseen = [
    '',
    ' \t\n',
    '\u00a0\u3000\u2003',
    '\u200b\u200d\ufeff',
    '\u2060\u00ad',
    '\u3164\u115f\uffa0',
    '\u202e',
    '\ufe0f',
    '\u2800',
    '\u{e0041}\u{e0042}',
    '\u{e0100}\u{1bca0}\u{13430}',
    '\u0000',
  ]
  for (const text of unseen) assert.equal(isBlank(text), true, JSON.stringify(text))
  for (const text of unseen) assert.equal(isBlank(`${text}x${text}`), false, JSON.stringify(text))
  for (const text of ['.', '0', '\u00e4', '\u5426', '\u{1f44d}']) assert.equal(isBlank(text), false)
})

test('whatever Unicode says is ignored, a control or a blank is nothing that somebody sees', () => {
  const unseen = /[\p{Default_Ignorable_Code_Point}\p{White_Space}\p{Cc}]/u
  const seen: string[] = []
  for (let code = 0; code <= 0x10ffff; code++) {
    const character = String.fromCodePoint(code)
    if (unseen.test(character) && !isBlank(character)) seen.push(code.toString(16))
  }
  assert.deepEqual(seen, [])
})
