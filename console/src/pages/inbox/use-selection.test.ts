import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applySelection, findNextToSelect, listBetween, MOST_SELECTED } from './use-selection.ts'

test('a range has both ends, whichever way it goes', () => {
  const all = ['a', 'b', 'c', 'd']
  assert.deepEqual(listBetween(all, 'b', 'd'), ['b', 'c', 'd'])
  assert.deepEqual(listBetween(all, 'd', 'b'), ['b', 'c', 'd'])
  assert.deepEqual(listBetween(all, 'gone', 'b'), ['b'])
  assert.deepEqual(listBetween(all, 'a', 'gone'), [])
})

test('no more are selected than one can read, and those that were stay', () => {
  const many = Array.from({ length: MOST_SELECTED + 5 }, (_, at) => String(at))
  const full = applySelection(new Set(), many, true)
  assert.equal(full.size, MOST_SELECTED)
  assert.deepEqual(applySelection(full, ['more'], true), full)
  assert.equal(applySelection(full, many.slice(0, 10), false).size, MOST_SELECTED - 10)
})

test('rows are selected one after the other, from where the focus is', () => {
  const all = ['a', 'b', 'c']
  assert.equal(findNextToSelect(all, new Set(), ''), 'a')
  assert.equal(findNextToSelect(all, new Set(), 'b'), 'b')
  assert.equal(findNextToSelect(all, new Set(['b']), 'b'), 'c')
  assert.equal(findNextToSelect(all, new Set(['b', 'c']), 'b'), null)
  assert.equal(findNextToSelect([], new Set(), ''), null)
})
