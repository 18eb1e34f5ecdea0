import assert from 'node:assert/strict'
import { test } from 'node:test'
import { escapeText } from './escape-text.ts'

test('plain text of any script stays as it is', () => {
  assert.equal(escapeText('Zahlung über 20 €, 支払い, 🙂'), 'Zahlung über 20 €, 支払い, 🙂')
})

test('colours and cursor moves go', () => {
  assert.equal(
    escapeText('\u001b[31mrejected\u001b[0m \u001b[2A\u001b[Kaccepted'),
    'rejected accepted',
  )
  assert.equal(escapeText('\u009b31mred'), 'red')
})

test('a title, a link and a device string go, with what they hold', () => {
  assert.equal(escapeText('\u001b]0;owned\u0007shown'), 'shown')
  assert.equal(escapeText('\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\'), 'link')
  assert.equal(escapeText('\u009d0;owned\u009cshown'), 'shown')
  assert.equal(escapeText('\u001bPq secret\u001b\\shown'), 'shown')
})

test('a sequence that never ends hides the rest, as a terminal would', () => {
  assert.equal(escapeText('shown\u001b]0;never ends'), 'shown')
  assert.equal(escapeText('shown\u001b[12'), 'shown')
  assert.equal(escapeText('shown\u001b'), 'shown')
})

test('control characters go and line breaks become spaces', () => {
  assert.equal(escapeText('a\u0000b\u0008c\u007fd\u0085e'), 'abcde')
  assert.equal(escapeText('one\ntwo\r\nthree\tfour'), 'one two  three four')
})

test('marks that turn text around or hide in it go', () => {
  assert.equal(escapeText('pay \u202e00.02\u202c now\u200b\u2066x\u2069'), 'pay 00.02 nowx')
  assert.equal(escapeText('a\u00adb\u2060c\u{e0041}d\u3164e\ud800f\ufe0fg'), 'abcdefg')
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
