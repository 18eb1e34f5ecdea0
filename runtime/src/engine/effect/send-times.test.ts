import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { formatInstant, LIMITS } from 'rubicon-kernel'
import type { Clock } from '../../ports/clock.ts'
import { buildExecutionRow } from '../../ports/conformance/fixture.ts'
import type { ExecutionRow } from '../../ports/store.ts'
import { SendTimes } from './send-times.ts'

const START = Date.parse('2026-06-01T12:00:00.000Z')

/** Two clocks that are moved apart: the wall clock may be set, the other only goes on. */
function times(shared: boolean) {
  let [wall, monotonic] = [START, 5_000_000]
  const clock: Clock = {
    now: () => wall,
    monotonic: () => monotonic,
    after: () => ({ elapsed: Promise.resolve(), cancel: () => {} }),
  }
  return {
    sends: new SendTimes(clock, { shared }),
    monotonic: () => monotonic,
    set(ms: number): void {
      wall += ms
    },
    pass(ms: number): void {
      wall += ms
      monotonic += ms
    },
  }
}

function sentAt(ms: number, change: Partial<ExecutionRow> = {}): ExecutionRow {
  const at = formatInstant(ms)
  return buildExecutionRow(1, 'step-1', { dispatched_at: at, last_sent_at: at, ...change })
}

test('what was sent here is measured here, wherever the wall clock goes', () => {
  for (const shared of [false, true]) {
    const { sends, pass, set, monotonic } = times(shared)
    const row = sentAt(START)
    const began = monotonic()
    pass(2000)
    sends.recordSendEnd(row, began)
    pass(3000)
    set(-3_600_000)
    deepEqual([sends.measureSinceFirst(row), sends.measureSinceLast(row)], [5000, 3000])
    set(7_200_000)
    deepEqual([sends.measureSinceFirst(row), sends.measureSinceLast(row)], [3_605_000, 3000])
  }
})

test('what somebody else sent is as old as the wall clock says, and left before it was seen', () => {
  const { sends, pass } = times(false)
  const row = sentAt(START - 40_000)
  deepEqual([sends.measureSinceFirst(row), sends.measureSinceLast(row)], [40_000, 0])
  pass(7000)
  deepEqual([sends.measureSinceFirst(row), sends.measureSinceLast(row)], [47_000, 7000])
})

test('a process that was there before somebody else sent says nothing of when that was', () => {
  const { sends, pass } = times(true)
  pass(3_600_000)
  const row = sentAt(START + 3_599_000)
  equal(sends.measureSinceFirst(row), 1000)
  equal(sends.measureSinceLast(row), -LIMITS.lateSendMs)
})

test('a clock that jumps forward does not make the last send of another older', () => {
  const { sends, pass, set } = times(true)
  const row = sentAt(START)
  sends.look([row])
  set(3_600_000)
  pass(1000)
  equal(sends.measureSinceLast(row), 1000 - LIMITS.lateSendMs)
})

test('a clock that is behind what was written by it says nothing: the send is as old as can be', () => {
  const just = sentAt(START + LIMITS.clockSkewMs)
  const more = sentAt(START + LIMITS.clockSkewMs + 1)
  equal(times(false).sends.measureSinceFirst(just), 0)
  equal(times(false).sends.measureSinceFirst(more), Number.POSITIVE_INFINITY)
})

test('a second send from here does not make the first one, from elsewhere, known', () => {
  const { sends, monotonic, set } = times(false)
  sends.look([sentAt(START)])
  sends.recordSendEnd(sentAt(START, { sends: 2 }), monotonic())
  set(-3_600_000)
  equal(sends.measureSinceFirst(sentAt(START, { sends: 2 })), Number.POSITIVE_INFINITY)
})

test('another send of another engine starts the measure of the last one again', () => {
  const { sends, pass, monotonic } = times(true)
  const first = sentAt(START)
  sends.recordSendEnd(first, monotonic())
  pass(100_000)
  equal(sends.measureSinceLast(first), 100_000)
  const second = { ...first, sends: 2 }
  equal(sends.measureSinceLast(second), -LIMITS.lateSendMs)
  equal(sends.measureSinceFirst(second), 100_000)
})

test('what others settled is forgotten, and what is on its way from here is not', () => {
  const { sends, pass, monotonic } = times(false)
  const foreign = sentAt(START)
  const own = sentAt(START, { step_id: 'step-2' })
  sends.look([foreign])
  sends.recordSendEnd(own, monotonic())
  sends.look([])
  pass(500)
  deepEqual([sends.measureSinceLast(foreign), sends.measureSinceLast(own)], [0, 500])
  sends.forget(own)
  equal(sends.measureSinceLast(own), 0)
})
