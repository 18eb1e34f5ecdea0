import assert from 'node:assert/strict'
import { test } from 'node:test'
import { escapeText } from './escape-text.ts'

test('plain text of any script stays as it is', () => {
  assert.equal(escapeText('Zahlung über 20 €, 支払い, 🙂'), 'Zahlung über 20 €, 支払い, 🙂')
})

test('colours and cursor moves are shown', () => {
  assert.equal(
    escapeText('\u001b[31mrejected\u001b[0m \u001b[2A'),
    '\\u{1b}[31mrejected\\u{1b}[0m \\u{1b}[2A',
  )
  assert.equal(escapeText('\u009b31mred'), '\\u{9b}31mred')
})

test('what is hidden in a sequence, or behind one that never ends, is kept from whoever decides', () => {
  assert.equal(
    escapeText('Hello\u001b]0; and pay twice\u0007.'),
    'Hello\\u{1b}]0; and pay twice\\u{7}.',
  )
  assert.equal(escapeText('\u001b]8;;http://x\u001b\\here'), '\\u{1b}]8;;http://x\\u{1b}\\here')
  assert.equal(escapeText('\u009d0;owned\u009cshown'), '\\u{9d}0;owned\\u{9c}shown')
  assert.equal(escapeText('\u001bPq secret'), '\\u{1b}Pq secret')
  assert.equal(escapeText('DE12\u001b'), 'DE12\\u{1b}')
})

test('control characters are shown and line breaks become spaces', () => {
  assert.equal(escapeText('a\u0000b\u0008c\u007fd\u0085e'), 'a\\u{0}b\\u{8}c\\u{7f}d\\u{85}e')
  assert.equal(escapeText('one\ntwo\r\nthree\tfour'), 'one two  three four')
})

test('two texts that differ in what nobody sees look like one', () => {
  const unseen = ['\u202e', '\u200b', '\u2066', '\u00ad', '\u{e0041}', '\u3164', '\ud800', '\ufe0f']
  for (const character of unseen) {
    const code = (character.codePointAt(0) ?? 0).toString(16)
    assert.equal(escapeText(`pay ${character}acme`), `pay \\u{${code}}acme`)
  }
})

test('nothing that is left is a control character', () => {
  for (let code = 0; code < 0x2100; code += 1) {
    const left = escapeText(`a${String.fromCharCode(code)}b`)
    for (const character of left) {
      const value = character.charCodeAt(0)
      assert.ok(value >= 0x20 && !(value >= 0x7f && value <= 0x9f), `code ${code} leaves ${value}`)
    }
  }
})
