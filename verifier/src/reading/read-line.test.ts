import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatEnvelope, toCanonicalText } from 'rubicon-kernel'
import { sampleLedger } from '../samples/sample-ledger.test-support.ts'
import { cutLine, readLine, readSlowly } from './read-entry.ts'
import { seededDraws } from './seeded-draws.test-support.ts'

function shown({ entry, problems }: ReturnType<typeof readLine>): string {
  const text = entry?.envelopeText
  if (entry !== undefined && text !== undefined) assert.equal(text, formatEnvelope(entry.envelope))
  const kept = entry === undefined ? null : { ...entry, texts: undefined, envelopeText: undefined }
  return toCanonicalText(JSON.parse(JSON.stringify({ entry: kept, problems })))
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

test('what is sent cites authority in its head, and nothing else does', () => {
  const lines = sampleLedger().builder.text().split('\n').slice(1, -1)
  const sent = lines.find((text) => text.includes('"kind":"dispatch"')) ?? ''
  const other = lines.find((text) => text.includes('"kind":"commit"')) ?? ''
  const changed = [
    sent.replace(/"authority_seq":[0-9]+,/, ''),
    other.replace('"dfid"', '"authority_seq":1,"dfid"'),
    sent.replace('"kind":"dispatch"', '"kind":"nothing"'),
    sent.replace(/"at":"[^"]*"/, '"at":"2026-02-31T09:00:01.000Z"'),
  ]
  for (const text of changed) {
    const line = { text, ended: true }
    assert.notDeepEqual(readLine(line, 5).problems, [], text)
    assert.equal(shown(readLine(line, 5)), shown(readSlowly(line, 5)), text)
  }
})
