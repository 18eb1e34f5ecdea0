import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findFormat } from '../formats/formats.ts'
import { createGitMergeLines } from '../git/merge-file.ts'
import type { MergeResult } from './merge.ts'
import { mergeTexts } from './merge-texts.ts'

function merge(base: string, ours: string, theirs: string): MergeResult {
  const mergeLines = createGitMergeLines()
  return mergeTexts({ base, ours, theirs }, findFormat('a.yaml'), { mergeLines })
}

const USE = 'use:\n  <<: *b\n  q: 1\n  r: 1\n'

test('no key gets a value that neither side gave it, by an anchor or a merge of keys', () => {
  for (const [base, ours, theirs, key] of [
    // One puts a key into what is merged elsewhere, the other takes out the key that hid it there.
    [
      `base: &b\n  x: 1\n${USE}`,
      `base: &b\n  x: 1\n  q: 2\n${USE}`,
      `base: &b\n  x: 1\n${USE.replace('  q: 1\n', '')}`,
      'use.q',
    ],
    // One gives the name of an anchor again, between it and what the other begins to take from it.
    [
      'a: &x 1\nb: 2\nc: 3\nd: 4\n',
      'a: &x 1\nb: &x 2\nc: 3\nd: 4\n',
      'a: &x 1\nb: 2\nc: 3\nd: *x\n',
      'd',
    ],
  ] as const) {
    const { conflicts, fallback, text } = merge(base, ours, theirs)
    assert.notEqual(conflicts.length, 0, text)
    assert.equal(fallback, `\`${key}\` would have a value that neither side gave it`)
  }
})

test('values that follow an anchor which one side changed are merged', () => {
  const base = 'a: &x 1\nb: 2\nc: 3\nd: *x\n'
  const { conflicts, text } = merge(
    base,
    base.replace('&x 1', '&x 9'),
    base.replace('b: 2', 'b: 5'),
  )
  assert.deepEqual(conflicts, [])
  assert.equal(text, 'a: &x 9\nb: 5\nc: 3\nd: *x\n')
})
