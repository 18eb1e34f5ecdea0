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
    '\u0000',
  ]
  for (const text of unseen) assert.equal(isBlank(text), true, JSON.stringify(text))
  for (const text of unseen) assert.equal(isBlank(`${text}x${text}`), false, JSON.stringify(text))
  for (const text of ['.', '0', '\u00e4', '\u5426', '\u{1f44d}']) assert.equal(isBlank(text), false)
})
