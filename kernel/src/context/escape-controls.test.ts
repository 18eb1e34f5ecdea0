import assert from 'node:assert/strict'
import { test } from 'node:test'
import { escapeControls } from './escape-controls.ts'

test('what a terminal obeys is left in a text, or cannot be seen in it', () => {
  for (let code = 0; code < 0x10000; code++) {
    const text = `a${String.fromCharCode(code)}b`
    const isLayout = code === 0x0a || code === 0x09
    const isControl = (code < 0x20 && !isLayout) || (code >= 0x7f && code <= 0x9f)
    const isTurning = (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)
    const hex = code.toString(16).padStart(4, '0')
    assert.equal(escapeControls(text), isControl || isTurning ? `a\\u${hex}b` : text, hex)
  }
})

test('text of any script, its layout and its signs stay as they are', () => {
  const text = 'Zahlung\tüber 20 €,\n支払い, \u200fשלום, 🙂\u200d🙂\ufe0f'
  assert.equal(escapeControls(text), text)
})

test('a JSON text means something else', () => {
  const value = { 'a\u009b31m': ['\u001b[2J', '\u202e\u2066', '\n\t', '\u{1f642}'] }
  assert.deepEqual(JSON.parse(escapeControls(JSON.stringify(value, null, 2))), value)
})
