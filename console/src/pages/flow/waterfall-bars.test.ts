import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FlowEntry, Span } from './story-parts.ts'
import { computeBars } from './waterfall-bars.ts'

function entry(id: string): FlowEntry {
  return { trajectory: 'main', seq: 0, leaf: 0, id, kind: 'x', at: '', payload: null }
}

function span(who: Span['who'], ms: number): Span {
  return { who, what: who, ms, from: entry('a'), to: entry('b') }
}

const rounded = (values: readonly number[]): readonly number[] => values.map(Math.round)

test('working time is to scale', () => {
  const bars = computeBars([span('effect', 300), span('record', 100)], false)
  assert.deepEqual(rounded(bars.map(({ width }) => width)), [75, 25])
  assert.deepEqual(rounded(bars.map(({ left }) => left)), [0, 75])
})

test('idle time that dwarfs the work is folded, and only then', () => {
  const long = computeBars([span('agent', 31_000), span('effect', 400)], false)
  assert.deepEqual(
    long.map(({ folded }) => folded),
    [true, false],
  )
  const short = computeBars([span('agent', 1_200), span('effect', 400)], false)
  assert.deepEqual(
    short.map(({ folded }) => folded),
    [false, false],
  )
})

test('work is never folded, however long', () => {
  const [bar] = computeBars([span('effect', 60_000), span('record', 1)], false)
  assert.equal(bar?.folded, false)
})

test('unfolded, idle time is to scale as well', () => {
  const bars = computeBars([span('person', 90_000), span('effect', 10_000)], true)
  assert.deepEqual(rounded(bars.map(({ width }) => width)), [90, 10])
})

test('spans without length share the axis', () => {
  const bars = computeBars([span('record', 0), span('record', 0)], false)
  assert.deepEqual(rounded(bars.map(({ width }) => width)), [50, 50])
})
