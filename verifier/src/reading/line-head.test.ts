/** The head of a line is taken apart where it is as exports write it, and nowhere else. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatEnvelope } from 'rubicon-kernel'
import { sampleLedger } from '../samples/sample-ledger.test-support.ts'
import { parseLineHead } from './line-head.ts'

const { builder } = sampleLedger()
const lines = builder.lines()

function lineOf(kind: string): string {
  return lines.find((line) => line.includes(`"kind":"${kind}"`)) ?? assert.fail(kind)
}

test('every member of the envelope, the id and the place of the payload are those of the line', () => {
  for (const [leaf, line] of lines.entries()) {
    const entry = builder.entries[leaf] ?? assert.fail()
    const head = parseLineHead(line) ?? assert.fail(line)
    assert.deepEqual(head.envelope, entry.envelope)
    assert.equal(head.envelopeText, formatEnvelope(entry.envelope))
    assert.equal(head.id, entry.id)
    assert.equal(`${line.slice(head.payloadAt)}`, `${entry.payload}}`)
  }
})

test('what has another form, time, kind or citation is not taken apart', () => {
  const [sent, other] = [lineOf('dispatch'), lineOf('commit')]
  const changed = [
    ` ${other}`,
    `x${other}`,
    other.replace('"kind":"commit"', '"kind":"nothing"'),
    other.replace(/"at":"[^"]*"/, '"at":"2026-02-31T09:00:01.000Z"'),
    other.replace(/"at":"[^"]*"/, '"at":"2026-02-01T09:00:01Z"'),
    other.replace('"dfid"', '"authority_seq":1,"dfid"'),
    other.replace(/"seq":[0-9]+/, '"seq":01'),
    other.replace(/"seq":[0-9]+/, '"seq":1000000000000000'),
    other.replace('"v":2', '"v":3'),
    sent.replace(/"authority_seq":[0-9]+,/, ''),
  ]
  for (const text of changed) assert.equal(parseLineHead(text), undefined, text.slice(0, 200))
  assert.equal(parseLineHead(other.replace(/"seq":[0-9]+/, '"seq":0'))?.envelope.seq, 0)
})
