import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type ParsingRow, runParsingProof } from './parsing.ts'

let rows: readonly ParsingRow[] = []

before(async () => {
  rows = await runParsingProof()
})

function of(row: string): readonly ParsingRow[] {
  return rows.filter((one) => one.row === row)
}

test('every row of the threat model is tried, each with several inputs', () => {
  for (let n = 1; n <= 12; n += 1) assert.ok(of(`C${n}`).length >= 2, `C${n}`)
})

test('every input comes to the code that it must', () => {
  for (const { row, input, expected, code } of rows)
    assert.equal(code, expected, `${row}: ${input.slice(0, 80)}`)
})

test('a refusal leaves one entry, an effect two, a contract that fails none', () => {
  for (const { input, code, entries_added } of rows) {
    const wanted = code === 'ACCEPTED' ? 2 : code === 'POLICY_REGEX_UNSAFE' ? 0 : 1
    assert.equal(entries_added, wanted, input.slice(0, 80))
  }
})

test('spellings of one number are one value, with one content address', () => {
  const stored = of('C2').map((row) => row.stored)
  assert.equal(stored.length, 4)
  assert.equal(new Set(stored.map((one) => one?.address)).size, 1)
  assert.equal(stored[0]?.params, '{"amount":1}')
})

test('keys are ordered by UTF-16 code units, not by code points', () => {
  const stored = of('C9').map((row) => row.stored?.params)
  assert.deepEqual(new Set(stored), new Set(['{"\u{1f600}":1,"\ufb33":2}']))
})
