import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Text } from '@codemirror/state'
import { findProblemRange } from './text-problem.ts'

function underlined(text: string, line: number, column: number): string {
  const doc = Text.of(text.split('\n'))
  const { from, to } = findProblemRange(doc, { line, column })
  return doc.sliceString(from, to)
}

test('the word at the place is underlined, or the rest of the line', () => {
  assert.equal(underlined('a: 1\nhue: 2', 2, 1), 'hue')
  assert.equal(underlined('a: re:x', 1, 4), 're:x')
  assert.equal(underlined('a: {b}', 1, 4), '{b}')
})

test('columns are characters, and beyond the first plane one is two units', () => {
  assert.equal(underlined('😀😀 word', 1, 4), 'word')
})

test('a place that is not there underlines what is nearest, and at least a line', () => {
  assert.equal(underlined('first\n  last', 99, 99), 'last')
  assert.equal(underlined('first\nlast', -1, -1), 'first')
  assert.equal(underlined('only', Number.NaN, 1), 'only')
  assert.equal(underlined('', 1, 1), '')
})
