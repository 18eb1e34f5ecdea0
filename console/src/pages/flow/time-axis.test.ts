import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildTimeAxis, type Stretch } from './time-axis.ts'

function work(from: number, to: number): Stretch {
  return { from, to, isWork: true }
}

function idle(from: number, to: number): Stretch {
  return { from, to, isWork: false }
}

function places(stretches: readonly Stretch[], moments: readonly number[], unfolded = false) {
  const axis = buildTimeAxis(stretches, unfolded)
  return moments.map((at) => Math.round(axis.place(at)))
}

test('work is to scale', () => {
  assert.deepEqual(places([work(0, 300), work(300, 400)], [0, 300, 350, 400]), [0, 75, 88, 100])
})

test('idle time that dwarfs the rest is folded, and only then', () => {
  const long = buildTimeAxis([idle(0, 31_000), work(31_000, 31_400)], false)
  assert.deepEqual(long.folds, [{ left: 0, width: 12, ms: 31_000 }])
  const short = buildTimeAxis([idle(0, 1_600), work(1_600, 2_000)], false)
  assert.deepEqual(short.folds, [])
  const more = buildTimeAxis([idle(0, 1_601), work(1_601, 2_001)], false)
  assert.equal(more.folds.length, 1, 'more than four times all work')
})

test('work is never folded, however long', () => {
  assert.deepEqual(buildTimeAxis([work(0, 60_000), idle(60_000, 60_001)], false).folds, [])
})

test('idle time beside work of another flow is no idle time', () => {
  const axis = buildTimeAxis([idle(0, 31_000), work(0, 31_000), work(31_000, 31_400)], false)
  assert.deepEqual(axis.folds, [])
})

test('idle stretches of like length make the scale together', () => {
  const axis = buildTimeAxis([idle(0, 900), idle(900, 3_900), idle(3_900, 90_000)], false)
  assert.deepEqual(
    axis.folds.map(({ ms }) => ms),
    [86_100],
  )
})

test('unfolded, idle time is to scale as well', () => {
  assert.deepEqual(places([idle(0, 90_000), work(90_000, 100_000)], [90_000], true), [90])
})

test('many folds leave room for what is to scale', () => {
  const stretches = Array.from({ length: 200 }, (_, n) => [
    work(n * 100_000, n * 100_000 + 10),
    idle(n * 100_000 + 10, (n + 1) * 100_000),
  ]).flat()
  const { folds } = buildTimeAxis(stretches, false)
  const together = folds.reduce((total, { width }) => total + width, 0)
  assert.equal(folds.length, 200)
  assert.ok(together <= 60.001, String(together))
})

test('what took no time lies at one place, and a moment outside of the axis at its end', () => {
  assert.deepEqual(places([work(5, 5)], [0, 5, 9]), [0, 0, 0])
  assert.deepEqual(places([work(5, 10)], [0, 99]), [0, 100])
  assert.equal(buildTimeAxis([], false).ms, 0)
})
