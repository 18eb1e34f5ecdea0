import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareLines, type DiffLine } from './line-diff.ts'

const MARKS = { same: ' ', added: '+', removed: '-' }
const shown = (lines: readonly DiffLine[]): string =>
  lines.map(({ kind, text }) => `${MARKS[kind]}${text}`).join('|')

test('only what differs is marked', () => {
  assert.equal(shown(compareLines('a\nb\nc', 'a\nx\nc')), ' a|-b|+x| c')
  assert.equal(shown(compareLines('a\nb', 'a\nb')), ' a| b')
  assert.equal(shown(compareLines('a\nb\nc\nd', 'b\nd\ne')), '-a| b|-c| d|+e')
  assert.equal(shown(compareLines('a', 'a\na')), ' a|+a')
})

test('both texts can be put together again, whatever they are', () => {
  const words = ['a', 'b', 'c', 'a', 'b']
  for (let seed = 0; seed < 200; seed += 1) {
    const pick = (salt: number): string =>
      Array.from({ length: (seed * salt) % 9 }, (_, at) => words[(seed * 7 + at * salt) % 5]).join(
        '\n',
      )
    const [before, after] = [pick(3), pick(5)]
    const lines = compareLines(before, after)
    const side = (left: 'removed' | 'added'): string =>
      lines
        .filter(({ kind }) => kind === 'same' || kind === left)
        .map(({ text }) => text)
        .join('\n')
    assert.deepEqual([side('removed'), side('added')], [before, after])
  }
})

test('texts that are too long for a fine comparison are shown whole', () => {
  const long = Array.from({ length: 1_600 }, (_, at) => `line ${at}`).join('\n')
  const lines = compareLines(long, 'x')
  assert.equal(lines.filter(({ kind }) => kind === 'removed').length, 1_600)
  assert.equal(lines.filter(({ kind }) => kind === 'added').length, 1)
})
