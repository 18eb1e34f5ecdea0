import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ErasedKeys } from './erased-keys.ts'

test('erased keys are counted, those without a leaf apart, and a copy goes its own way', () => {
  const keys = new ErasedKeys()
  assert.deepEqual([keys.size, keys.unknown, keys.has('a')], [0, 0, false])
  keys.set('a', 'unknown')
  keys.set('b', 'leaf')
  const copy = keys.copy()
  keys.set('a', 'leaf')
  assert.deepEqual([keys.size, keys.unknown], [2, 0])
  assert.deepEqual([copy.size, copy.unknown, copy.has('b')], [2, 1, true])
  copy.delete('a')
  copy.delete('none')
  assert.deepEqual([copy.size, copy.unknown, copy.has('a'), keys.has('a')], [1, 0, false, true])
})
