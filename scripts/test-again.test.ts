import assert from 'node:assert/strict'
import { relative } from 'node:path'
import { test } from 'node:test'
import { planAgain } from './test-again.ts'

const programs = [
  { path: '/groups/0.mjs', files: ['a.test.ts', 'b.test.ts'] },
  { path: '/groups/1.mjs', files: ['c.test.ts'] },
]
/** As the runner names it. */
const ended = relative(process.cwd(), '/groups/0.mjs')

test('a file that failed is run once more by itself', () => {
  assert.deepEqual(planAgain(new Set(['c.test.ts', 'a.test.ts']), programs), [
    { entry: 'a.test.ts', files: ['a.test.ts'] },
    { entry: 'c.test.ts', files: ['c.test.ts'] },
  ])
})

test('of a program that ended otherwise every file is run once more, and none of them twice', () => {
  assert.deepEqual(planAgain(new Set(['b.test.ts', ended, 'c.test.ts']), programs), [
    { entry: 'c.test.ts', files: ['c.test.ts'] },
    { entry: 'the program of a.test.ts', files: ['a.test.ts', 'b.test.ts'] },
  ])
})

test('what is no file and no program of the run, and what is too much, stays failed', () => {
  assert.equal(planAgain(new Set(['elsewhere.mjs']), programs), null)
  const many = Array.from({ length: 25 }, (_, n) => `${n}.test.ts`)
  assert.equal(planAgain(new Set(many), programs), null)
})
