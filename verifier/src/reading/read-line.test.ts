import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalText } from 'rubicon-kernel'
import { cutLine, readLine, readSlowly } from '../read-entry.ts'
import { sampleLedger } from '../sample-ledger.test-support.ts'
import { seededDraws } from './seeded-draws.test-support.ts'

function shown({ entry, problems }: ReturnType<typeof readLine>): string {
  const kept = entry === undefined ? null : { ...entry, texts: undefined }
  return canonicalText(JSON.parse(JSON.stringify({ entry: kept, problems })))
}

test('every line of a ledger is cut, and read as by parsing all of it', () => {
  const lines = sampleLedger().builder.text().split('\n').slice(1, -1)
  assert.ok(lines.length > 10)
  for (const [leaf, text] of lines.entries()) {
    const line = { text, ended: true }
    const read = readLine(line, leaf)
    assert.ok(cutLine(line, leaf))
    assert.deepEqual(read.problems, [])
    assert.equal(shown(read), shown(readSlowly(line, leaf)))
    assert.equal(
      shown(readLine({ text, ended: false }, leaf)),
      shown(readSlowly({ text, ended: false }, leaf)),
    )
  }
})

test('whatever is changed in a line, it is read as by parsing all of it', () => {
  const draws = seededDraws(3)
  const lines = sampleLedger().builder.text().split('\n').slice(1, -1)
  const parts = [
    '',
    ',',
    '"',
    '{',
    '}',
    '0',
    'a',
    'f',
    '-',
    ' ',
    '\\',
    'null',
    'Z',
    '\u0001',
    '\ud800',
  ]
  let cut = 0
  for (let round = 0; round < 1_000; round += 1) {
    const text = lines[draws(lines.length)] ?? ''
    // Most changes in the head, where a line is taken apart without parsing it.
    const at = draws(round % 4 === 0 ? text.length : 620)
    const part = parts[draws(parts.length)] ?? ''
    const line = { text: text.slice(0, at) + part + text.slice(at + draws(3)), ended: true }
    assert.equal(shown(readLine(line, 5)), shown(readSlowly(line, 5)), line.text)
    if (cutLine(line, 5) !== undefined) cut += 1
  }
  assert.ok(cut > 25)
})
