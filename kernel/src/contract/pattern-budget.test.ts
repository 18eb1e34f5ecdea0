import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from '../limits.ts'
import type { Regex } from './pattern.ts'
import { createBoundedMatch } from './pattern-budget.ts'

/** An engine that says how many states an expression has. */
function engine(states: () => number): Regex {
  const matches = (expression: string, value: string): boolean =>
    new RegExp(`^(?:${expression})$`).test(value)
  return Object.assign(matches, { states })
}

test('an expression is paid for each time, and compiled once', () => {
  const value = 'a'.repeat(99)
  const matches = createBoundedMatch(engine(() => LIMITS.patternSteps / 400))
  // Each time a quarter of the whole, the first time a little more.
  const answers = [1, 2, 3, 4, 5].map(() => matches('re:a+', value))
  assert.deepEqual(answers, [true, true, true, undefined, undefined])
  assert.equal(matches('aa', 'aa'), undefined, 'nothing is left for anything else')
})

test('an expression that costs too much to compile is not compiled', () => {
  let compiled = 0
  const regex = engine(() => {
    compiled += 1
    return 1
  })
  assert.equal(
    createBoundedMatch(regex)(`re:${'a'.repeat(LIMITS.patternSteps / 64)}b`, 'a'),
    undefined,
  )
  assert.equal(compiled, 0)
})

test('texts cost a step, and without an engine so does an expression', () => {
  const matches = createBoundedMatch(undefined)
  assert.equal(matches('a*', 'abc'), true)
  assert.equal(matches('re:a', 'a'), undefined)
})
