import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listStageNumbers } from './stage-numbers.ts'

test('a proof or an atom does not move the numbers of the stages away from those of the specification', () => {
  const plain = ['repeat', 'kind', 'signature']
  assert.deepEqual(listStageNumbers(plain), [0, 1, 2])
  assert.deepEqual(listStageNumbers(['proof', ...plain]), [null, 0, 1, 2])
  assert.deepEqual(listStageNumbers(['repeat', 'atom', 'kind', 'signature']), [0, null, 1, 2])
})
