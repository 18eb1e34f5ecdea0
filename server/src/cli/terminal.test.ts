import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reportError } from './failure.ts'
import { createOutput, type Output, writeRaw } from './output.ts'

const HOSTILE = 'ok\u001b[2J\u001b[32m\u0007\r\u009b31m\u007f\u202e\u2066'
const SHOWN = 'ok\\u001b[2J\\u001b[32m\\u0007\\u000d\\u009b31m\\u007f\\u202e\\u2066'

/** What a terminal is sent. */
function said(json: boolean, speak: (out: Output) => void): string {
  let text = ''
  const sink = { write: (more: string) => (text += more), isTTY: true }
  speak(createOutput({ stdout: sink, stderr: sink, stdin: process.stdin, env: {} }, json))
  return text
}

test('what somebody else wrote is obeyed by the terminal of whoever reads it', () => {
  const line = said(false, (out) => out.line(`${out.paint('red', HOSTILE)} ${HOSTILE}`))
  assert.equal(line, `\u001b[31m${SHOWN}\u001b[0m ${SHOWN}\n`)
  assert.equal(
    said(false, (out) => out.note(`a\tb ${HOSTILE}`)),
    `a\tb ${SHOWN}\n`,
  )
})

test('what somebody else wrote makes a line of its own, which reads as one of ours', () => {
  const forged = '1.0.0\n\u2714 verified: 9 entries'
  const lines = [
    said(false, (out) => out.line(`  compiler  ${forged}`)),
    said(false, (out) => out.note(out.paint('red', forged))),
  ]
  for (const text of lines) {
    assert.equal(text.split('\n').length, 2)
    assert.ok(text.includes('1.0.0\\u000a\u2714 verified'))
  }
})

test('JSON at a terminal is obeyed by it, or means something else', () => {
  const value = { [HOSTILE]: [HOSTILE] }
  for (const text of [said(true, (out) => out.data(value)), said(true, (out) => out.row(value))]) {
    assert.deepEqual(JSON.parse(text), value)
    for (const bad of '\u001b\u0007\r\u009b\u007f\u202e\u2066') assert.ok(!text.includes(bad))
  }
  let failed = ''
  const sink = { write: (text: string) => (failed += text) }
  const streams = { stdout: sink, stderr: sink, stdin: process.stdin, env: {} }
  reportError(new TypeError(HOSTILE), streams, true)
  assert.ok(!failed.includes('\u009b') && !failed.includes('\u202e'))
})

test('what is written for others to read again is changed, but for a terminal', () => {
  let text = ''
  const write = (more: string) => (text += more)
  writeRaw({ write }, HOSTILE)
  assert.equal(text, HOSTILE)
  writeRaw({ write, isTTY: true }, HOSTILE)
  assert.equal(text, `${HOSTILE}${SHOWN}`)
})
