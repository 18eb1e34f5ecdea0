import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joinWords } from './list-words.ts'

test('the rules of a policy are words with commas between them', () => {
  assert.equal(joinWords(['large']), 'large')
  assert.equal(joinWords(['large', 'late']), 'large, late')
})

test('what could be read as another list stays as it is', () => {
  for (const value of [
    ['a, b', 'c'],
    ['a', ''],
    [],
    [1, 2],
    ['a', null],
    { usd: '1' },
    'large',
    null,
  ])
    assert.equal(joinWords(value), value)
})
