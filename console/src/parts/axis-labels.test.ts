import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseLabelled } from './axis-labels.ts'

test('a day of hours has a time every four of them', () => {
  assert.deepEqual(chooseLabelled(24), [0, 4, 8, 12, 16, 20])
})

test('few columns have one each, and none has none', () => {
  assert.deepEqual(chooseLabelled(3), [0, 1, 2])
  assert.deepEqual(chooseLabelled(0), [])
})

test('of whatever many there are six at most', () => {
  for (let count = 1; count < 400; count += 1) assert.ok(chooseLabelled(count).length <= 6)
})
