import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import type { Confirmed } from '../../ports/confirmed-clock.ts'
import { StoreError } from '../../ports/store.ts'
import type { StoreTime } from '../../ports/store-time.ts'
import { assertInTime, createMachineTime } from './clock-watch.ts'

const START = Date.parse('2026-06-01T12:00:00.000Z')
const DAY = 86_400_000

type Machine = {
  clock: number
  passed: number
  start(newest?: number | null, confirmed?: Confirmed | null): StoreTime
}

function machine(): Machine {
  return {
    clock: START,
    passed: 0,
    start(newest = null, confirmed = null) {
      const clock = (): number => this.clock
      return createMachineTime({ clock, monotonic: () => this.passed }, () => ({
        newest,
        confirmed,
      }))
    },
  }
}

test('C1 C2 at a step back within the skew time stands still, and beyond it nothing is begun', () => {
  const it = machine()
  const time = it.start()
  it.clock = START - LIMITS.clockSkewMs
  assert.deepEqual([time.getNow(), time.findSkew()], [START, null])
  it.clock -= 1
  assert.deepEqual([time.getNow(), time.findSkew()?.kind], [START, 'behind'])
})

test('C1 C2 seven days forward are a machine that slept, more are not', () => {
  const it = machine()
  const time = it.start()
  it.clock = START + LIMITS.clockStepMs
  assert.equal(time.findSkew(), null)
  it.clock += 1
  assert.deepEqual([time.getNow(), time.findSkew()?.kind], [START, 'ahead'])
  // What has passed since is no part of the step.
  it.passed = 1
  assert.deepEqual([time.getNow(), time.findSkew()], [it.clock, null])
})

test('C1 time stands still while the clock is wrong, and goes on when it is right again', () => {
  const it = machine()
  const time = it.start()
  it.clock = START + 400 * DAY
  assert.equal(time.getNow(), START)
  it.clock = START + 5_000
  it.passed = 5_000
  assert.deepEqual([time.getNow(), time.findSkew()], [it.clock, null])
})

test('C1 what an operator confirms counts, until that is taken back', () => {
  const it = machine()
  const time = it.start()
  it.clock = START + 400 * DAY
  assert.equal(time.getNow(), START)
  const takeBack = time.confirm()
  assert.deepEqual([time.getNow(), time.findSkew()], [it.clock, null])
  takeBack()
  assert.deepEqual([time.getNow(), time.findSkew()?.kind], [START, 'ahead'])
})

test('C3 at the start the clock is compared with the newest entry', () => {
  const it = machine()
  assert.equal(it.start(START - LIMITS.clockStepMs).findSkew(), null)
  assert.equal(it.start(START - LIMITS.clockStepMs - 1).findSkew()?.kind, 'ahead')
  assert.equal(it.start(START + LIMITS.clockSkewMs).findSkew(), null)
  assert.equal(it.start(START + LIMITS.clockSkewMs + 1).findSkew()?.kind, 'behind')
})

test('C3 behind the newest entry it counts where it was confirmed, and has not gone back since', () => {
  const it = machine()
  const newest = START + 400 * DAY
  const at = (clock: number): Confirmed => ({ clock, last: newest })
  assert.equal(it.start(newest, at(START)).findSkew(), null)
  assert.equal(it.start(newest, at(START + LIMITS.clockSkewMs)).findSkew(), null)
  assert.equal(it.start(newest, at(START + LIMITS.clockSkewMs + 1)).findSkew()?.kind, 'behind')
  assert.equal(it.start(newest).findSkew()?.kind, 'behind')
})

test('C4 behind a clock that was confirmed further back time goes on, and the clock catches up', () => {
  const it = machine()
  const time = it.start()
  it.clock = START - 6 * DAY
  assert.equal(time.findSkew()?.kind, 'behind')
  const base = it.clock
  time.confirm()
  assert.deepEqual([time.getNow(), time.findSkew()], [START, null])
  const pass = (ms: number): number => {
    it.clock += ms
    it.passed += ms
    return time.getNow()
  }
  assert.equal(pass(DAY), START + 0.75 * DAY)
  const again = it.start(START + 0.75 * DAY, { clock: base, last: START })
  assert.deepEqual([again.getNow(), again.findSkew()], [START + 0.75 * DAY, null])
  assert.equal(pass(22 * DAY), it.clock + 0.25 * DAY)
  assert.equal(pass(2 * DAY), it.clock)
  assert.equal(pass(DAY), it.clock)
})

test('what begins something waits for the clock; what settles or stops it does not', () => {
  const it = machine()
  const time = it.start()
  const appends = (entry: 'dispatch' | 'settle' | 'revocation') =>
    ({
      guards: [],
      writes: [{ kind: 'append', trajectory: 'main', entry, payload: '{}' }],
    }) as const
  assertInTime(time, appends('dispatch'))
  it.clock = START + 400 * DAY
  assertInTime(time, appends('settle'))
  assertInTime(time, appends('revocation'))
  assert.throws(
    () => assertInTime(time, appends('dispatch')),
    (error) => error instanceof StoreError && error.code === 'CLOCK_SKEW',
  )
})
