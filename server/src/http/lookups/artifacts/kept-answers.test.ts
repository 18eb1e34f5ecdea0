import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KeptAnswers } from './kept-answers.ts'

test('what is kept is bounded by its weight, and the longest unused goes first', () => {
  const kept = new KeptAnswers<string>(10)
  kept.keep('a', 'A', 4)
  kept.keep('b', 'B', 4)
  assert.equal(kept.get('a'), 'A')
  kept.keep('c', 'C', 4)
  assert.deepEqual(
    ['a', 'b', 'c'].map((question) => kept.get(question)),
    ['A', undefined, 'C'],
  )
  kept.keep('whole', 'W', 11)
  assert.equal(kept.get('whole'), undefined)
  assert.equal(kept.get('a'), 'A')
  kept.keep('a', 'A again', 10)
  assert.deepEqual([kept.get('a'), kept.get('c')], ['A again', undefined])
})
