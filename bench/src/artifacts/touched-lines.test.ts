import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countOtherLines, type PermittedLines } from './touched-lines.ts'

function permit(lines: readonly number[], from = lines[0] ?? 0, to = from): PermittedLines {
  return { lines: new Set(lines), from, to }
}

const TEXT = 'a\nb\nb\nc\nd\n'

test('lines that an edit is about, and new ones at its place, are no other lines', () => {
  assert.equal(countOtherLines(TEXT, 'a\nx\nb\nc\nd\n', permit([1])), 0)
  assert.equal(countOtherLines(TEXT, 'a\nb\nc\nd\n', permit([2])), 0, 'of two equal ones, either')
  assert.equal(countOtherLines(TEXT, 'a\nb\nb\nnew\nc\nd\n', permit([], 3, 4)), 0)
  assert.equal(countOtherLines(TEXT, TEXT, permit([], 0, 0)), 0)
})

test('another line that is changed, taken out, put elsewhere or ended otherwise is counted', () => {
  assert.equal(countOtherLines('a\nb\nc\nd\n', 'a\nx\nC\nd\n', permit([1])), 1)
  assert.equal(countOtherLines('a\nb\nc\nd\n', 'x\nc\nd\n', permit([1])), 1)
  assert.equal(countOtherLines(TEXT, 'a\nb\nb\nc\nd\nnew\n', permit([], 1, 2)), 1)
  assert.equal(countOtherLines(TEXT, TEXT.replaceAll('\n', '\r\n'), permit([1])), 4)
  assert.equal(countOtherLines('a\nb', 'a\nb\n', permit([0])), 1)
  assert.equal(countOtherLines(TEXT, '', permit([1])), 4)
})

test('of a text that has little in common with the one before, what is not there any more is counted', () => {
  const lines = Array.from({ length: 2_000 }, (_, i) => `${i}\n`)
  const others = lines.map((line, i) => (i % 4 === 0 ? line : `x${line}`))
  assert.equal(countOtherLines(lines.join(''), others.join(''), permit([7])), 1_499)
})
