import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatSeconds } from './format-seconds.ts'

test('seconds are said in the largest unit that says them whole', () => {
  assert.deepEqual([0, 59, 60, 90, 300, 3_600, 57_600, 86_400, 172_800].map(formatSeconds), [
    '0 s',
    '59 s',
    '1 min',
    '90 s',
    '5 min',
    '1 h',
    '16 h',
    '24 h',
    '2 d',
  ])
})
