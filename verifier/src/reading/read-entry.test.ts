import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Entry } from 'rubicon-kernel'
import { sampleLedger } from '../samples/sample-ledger.test-support.ts'
import { LINE_LIMITS } from './limits.ts'
import { cutLine, readStored } from './read-entry.ts'
import { createLineSplitter, iterateLedgerLines } from './read-ledger.ts'

const { builder } = sampleLedger()
const LAST = builder.entries.length - 1

function problems(payload: string): readonly (readonly [string, string])[] {
  const entry = { ...builder.entries[LAST - 1], payload } as Entry
  return readStored(entry, LAST - 1).problems.map(({ code, detail }) => [code, detail])
}

test('of a stored payload it is said that it cannot be read, and that it is not canonical', () => {
  const found = problems('{"salt": ""}')
  assert.deepEqual(
    found.map(([code]) => code),
    ['ENTRY_UNREADABLE', 'ENTRY_NOT_CANONICAL'],
  )
})

test('a stored payload is not longer than a line may be', () => {
  const characters = Math.floor(LINE_LIMITS.bytes / 3) + 1
  const [first] = problems(`{"a":"${'€'.repeat(characters)}"}`)
  assert.match(first?.[1] ?? '', /bytes/)
})

test('a line that may be too long is measured before anything is taken from it', () => {
  const [head = ''] = builder.lines().at(-1)?.split('"payload":') ?? []
  const lineOf = (more: number): string => `${head}"payload":{"a":"${'x'.repeat(more)}"}}`
  const most = Math.floor(LINE_LIMITS.bytes / 3) - lineOf(0).length
  assert.ok(cutLine({ text: lineOf(most), ended: true }, LAST))
  assert.equal(cutLine({ text: lineOf(most + 1), ended: true }, LAST), undefined)
})

test('lines are the same of a text, of bytes and of pieces, also where one is empty', () => {
  for (const text of ['', '\n', '\na\n', 'a\n\nb', 'a\n']) {
    const lines = [...iterateLedgerLines(text)]
    const bytes = new TextEncoder().encode(text)
    const splitter = createLineSplitter()
    const split = [...bytes].flatMap((byte) => splitter.push(Uint8Array.of(byte)))
    const pieces = [...split, ...splitter.end()].map(({ text, ended }) => ({ text, ended }))
    assert.deepEqual([...iterateLedgerLines(bytes)], lines)
    assert.deepEqual(pieces, lines)
    assert.equal(lines.map((line) => `${line.text}${line.ended ? '\n' : ''}`).join(''), text)
  }
})
