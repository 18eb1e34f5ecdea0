import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { JsonObject } from '../canonical/json-value.ts'
import { fullTotal, MEAN, monitorOf, sampleOf } from './monitor.test-support.ts'
import type { Monitor, Statistic } from './monitor.ts'
import { createReader } from './sample.ts'
import { createTally } from './tally.ts'
import { RollingWindow } from './window.ts'

type Value = string | null

function windowOf(monitor: Monitor, values: readonly Value[]): RollingWindow {
  const window = new RollingWindow(monitor)
  values.forEach((x, i) => {
    window.add(sampleOf(i + 1, { 'measure:x': x }))
  })
  return window
}

function verdict(monitor: Monitor, values: readonly Value[]): readonly unknown[] {
  const { kind, value, breach } = windowOf(monitor, values).computeVerdict()
  return [kind, value, breach?.bound ?? null]
}

const rate = { kind: 'rate', value: 'measure:x', when: { above: '10' }, max: '0.5' }
const streak = { kind: 'streak', value: 'measure:x', when: { below: '0' }, length: 3 }
const cusum = { kind: 'cusum', value: 'measure:x', target: '10', direction: 'up', max: '5' }
const shift = { kind: 'shift', value: 'measure:x', edges: ['10'], baseline: [50, 50], max: '0.3' }

test('an empty window has no data, which is not fine and trips nothing', () => {
  for (const statistic of [MEAN, rate, cusum, shift]) {
    const { kind, samples, breach } = new RollingWindow(monitorOf(statistic)).computeVerdict()
    assert.deepEqual([kind, samples, breach], ['no_data', 0, null])
  }
  const later = windowOf(monitorOf(MEAN, { window: { duration: '1m' } }), ['99'])
  assert.equal(later.computeVerdict().kind, 'trip')
  assert.equal(later.computeVerdict(60_999).kind, 'trip')
  assert.equal(later.computeVerdict(61_000).kind, 'no_data', 'what was there is too old by then')
  assert.equal(later.computeVerdict().kind, 'trip', 'and is not forgotten')
  const two = windowOf(monitorOf(MEAN, { window: { duration: '1m' } }), ['99', 'NaN'])
  assert.deepEqual(
    [two.computeVerdict(61_500).samples, two.computeVerdict(61_500).unreadable],
    [1, 1],
  )
})

test('with one sample less than it wants a monitor has no data, however bad they are', () => {
  const monitor = monitorOf(MEAN, { min_samples: 3 })
  assert.deepEqual(verdict(monitor, ['99', '99']), ['no_data', '99', null])
  assert.deepEqual(verdict(monitor, ['99', '99', '99']), ['trip', '99', 'max'])
})

test('a mean trips beyond its bound and not at it, in both directions and exactly', () => {
  const both = monitorOf({ ...MEAN, min: '5' })
  assert.deepEqual(verdict(both, ['9', '11']), ['ok', '10', null])
  assert.deepEqual(verdict(both, ['9', '11.000000000000000000000001']), [
    'trip',
    '10.000001',
    'max',
  ])
  assert.deepEqual(verdict(both, ['5']), ['ok', '5', null])
  assert.deepEqual(verdict(both, ['4.999']), ['trip', '4.999', 'min'])
  assert.deepEqual(verdict(monitorOf({ kind: 'mean', value: 'measure:x', min: '0' }), ['-1']), [
    'trip',
    '-1',
    'min',
  ])
  const thirds = monitorOf({ kind: 'mean', value: 'measure:x', max: '0.333333' })
  assert.deepEqual(verdict(thirds, ['0', '0', '1']), ['trip', '0.333334', 'max'])
})

test('a rate counts unreadable values as hits where more is worse, and not where less is', () => {
  const high = monitorOf(rate)
  assert.deepEqual(verdict(high, ['11', '10', '0', '12']), ['ok', '0.5', null])
  assert.deepEqual(verdict(high, ['11', 'NaN', '0', '12']), ['trip', '0.75', 'max'])
  const low = monitorOf({ kind: 'rate', value: 'measure:x', when: { is: 'yes' }, min: '0.5' })
  assert.deepEqual(verdict(low, ['yes', 'no']), ['ok', '0.5', null])
  assert.deepEqual(verdict(low, ['yes', 'no', null]), ['trip', '0.333334', 'min'])
})

test('a ratio is of sums; something over nothing is beyond every bound, nothing over nothing is not', () => {
  const monitor = monitorOf({ kind: 'ratio', value: 'param:cost', of: 'result:clicks', max: '2' })
  const of = (...pairs: readonly (readonly [Value, Value])[]): readonly unknown[] => {
    const window = new RollingWindow(monitor)
    pairs.forEach(([cost, clicks], i) => {
      window.add(sampleOf(i, { 'param:cost': cost, 'result:clicks': clicks }))
    })
    const { kind, value, breach } = window.computeVerdict()
    return [kind, value, breach?.bound ?? null]
  }
  assert.deepEqual(of(['3', '1'], ['1', '1']), ['ok', '2', null])
  assert.deepEqual(of(['3', '1'], ['1.01', '1']), ['trip', '2.005', 'max'])
  assert.deepEqual(of(['0', '0']), ['ok', null, null])
  assert.deepEqual(of(['0.01', '0']), ['trip', null, 'max'])
  assert.deepEqual(of(['1', '-1']), ['trip', null, 'unreadable'])
  assert.deepEqual(of(['1', null]), ['trip', null, 'unreadable'])
})

test('a streak is broken by one that does not meet the condition, and lengthened by one unread', () => {
  const monitor = monitorOf(streak)
  assert.deepEqual(verdict(monitor, ['-1', '-1']), ['ok', '2', null])
  assert.deepEqual(verdict(monitor, ['-1', '-1', '-1']), ['trip', '3', 'length'])
  assert.deepEqual(verdict(monitor, ['-1', '-1', '0', '-1']), ['ok', '1', null])
  assert.deepEqual(verdict(monitor, ['-1', null, '-1']), ['trip', '3', 'length'])
})

test('a condition can hold one value of an execution against another', () => {
  const when = { above: 'state:ltv' }
  const monitor = monitorOf({ kind: 'streak', value: 'measure:cpc', when, length: 1 })
  const at = (cpc: string, ltv: Value): string => {
    const window = new RollingWindow(monitor)
    window.add(sampleOf(1, { 'measure:cpc': cpc, 'state:ltv': ltv }))
    return window.computeVerdict().kind
  }
  assert.deepEqual(
    [at('1.79', '1.80'), at('1.80', '1.80'), at('1.81', '1.80')],
    ['ok', 'ok', 'trip'],
  )
  assert.equal(at('1.79', null), 'trip', 'what cannot be compared counts against')
})

test('a cusum adds up what lies beyond target and slack, and forgets what lies below', () => {
  assert.deepEqual(verdict(monitorOf(cusum), ['12', '13']), ['ok', '5', null])
  assert.deepEqual(verdict(monitorOf(cusum), ['12', '13', '11']), ['trip', '6', 'max'])
  assert.deepEqual(verdict(monitorOf(cusum), ['14', '0', '13']), ['ok', '3', null])
  const slack = { ...cusum, slack: '1' }
  assert.deepEqual(verdict(monitorOf(slack), ['12', '13', '11']), ['ok', '3', null])
  const down = { ...cusum, direction: 'down' }
  assert.deepEqual(verdict(monitorOf(down), ['8', '6']), ['trip', '6', 'max'])
  const rolled = monitorOf(cusum, { window: { executions: 2 } })
  assert.deepEqual(verdict(rolled, ['12', '12', '12', '12']), ['ok', '4', null])
})

test('a shift is the total variation distance to the baseline', () => {
  assert.deepEqual(verdict(monitorOf(shift), ['1', '10', '11', '20']), ['ok', '0', null])
  assert.deepEqual(verdict(monitorOf(shift), ['1', '2', '3', '11']), ['ok', '0.25', null])
  assert.deepEqual(verdict(monitorOf(shift), ['1', '2', '3', '4']), ['trip', '0.5', 'max'])
  const tripped = windowOf(monitorOf(shift), ['1', '2', '3', '4']).computeVerdict()
  assert.deepEqual(tripped.breach, { bound: 'max', threshold: '0.3' })
})

test('unreadable values are counted, and more than allowed trip what is added up', () => {
  for (const statistic of [MEAN, cusum, shift]) {
    const strict = windowOf(monitorOf(statistic), ['10', 'NaN']).computeVerdict()
    assert.deepEqual([strict.kind, strict.samples, strict.unreadable], ['trip', 2, 1])
    assert.deepEqual(strict.breach, { bound: 'unreadable', threshold: '0' })
    const lax = windowOf(monitorOf(statistic, { max_unreadable: 1 }), ['9', null, '11', '10'])
    assert.deepEqual([lax.computeVerdict().kind, lax.computeVerdict().unreadable], ['ok', 1])
  }
  const gone = windowOf(monitorOf(MEAN, { window: { executions: 2 } }), [null, '1', '2'])
  assert.deepEqual([gone.computeVerdict().kind, gone.computeVerdict().unreadable], ['ok', 0])
})

test('executions of other kinds, of other outcomes, or without the measure are not looked at', () => {
  const window = new RollingWindow(monitorOf(MEAN, { policy_kinds: ['OFFER'] }))
  const values = { 'measure:x': '99' }
  assert.equal(window.add(sampleOf(1, values, { policy_kind: 'MAIL' })), false)
  assert.equal(window.add(sampleOf(2, values, { status: 'FAILED' })), false)
  assert.equal(window.add(sampleOf(3, { 'measure:y': '99' })), false)
  assert.equal(window.computeVerdict().samples, 0)
  assert.equal(window.add(sampleOf(4, values)), true)
})

test('a window of time keeps what is younger than it, and time does not run back in it', () => {
  const monitor = monitorOf(MEAN, { window: { duration: '1m' } })
  const window = new RollingWindow(monitor)
  const at = (seconds: number): number => {
    window.add(sampleOf(seconds, { 'measure:x': '1' }))
    return window.computeVerdict().samples
  }
  assert.deepEqual([at(0), at(59), at(60), at(61)], [1, 2, 2, 3])
  assert.equal(at(5), 4, 'one of another trajectory is as old as the newest before it')
  const both = monitorOf(MEAN, { window: { duration: '1m', executions: 2 } })
  assert.equal(windowOf(both, ['1', '2', '3']).computeVerdict().samples, 2)
})

test('behind a breach are those that made it', () => {
  const behind = (statistic: JsonObject, values: readonly Value[], more = {}): unknown => {
    const window = windowOf(monitorOf(statistic, more), values)
    const { breach } = window.computeVerdict()
    assert.ok(breach !== null)
    return window.listLeavesBehind(breach)
  }
  assert.deepEqual(behind(MEAN, ['9', '99']), [1, 2])
  assert.deepEqual(behind(rate, ['11', '9', null]), [1, 3])
  const low = { kind: 'rate', value: 'measure:x', when: { is: 'yes' }, min: '0.5' }
  assert.deepEqual(behind(low, ['no', 'yes', 'no']), [1, 2, 3])
  assert.deepEqual(behind(streak, ['-1', '1', '-1', '-1', '-1']), [3, 4, 5])
  assert.deepEqual(behind(streak, ['-1', '-1', '-1']), [1, 2, 3])
  assert.deepEqual(behind(MEAN, ['1', 'NaN', '1']), [2])
  assert.deepEqual(behind(MEAN, ['1', '99', '99'], { window: { executions: 2 } }), [2, 3])
})

test('a statistic that nobody knows is a bug', () => {
  const unknown = { kind: 'median', value: 'measure:x' } as unknown as Statistic
  assert.throws(() => createTally(unknown), /unreachable/)
  assert.throws(() => createReader({ ...monitorOf(MEAN), statistic: unknown }), /unreachable/)
  const broken = { ...monitorOf(cusum), statistic: { ...monitorOf(cusum).statistic, max: 'much' } }
  assert.throws(() => new RollingWindow(broken as Monitor), /decimal text/)
})

const STATISTICS: readonly JsonObject[] = [
  MEAN,
  rate,
  { ...streak, when: { above: '10' } },
  cusum,
  shift,
  { kind: 'ratio', value: 'measure:x', of: 'measure:y', max: '0.9' },
]

test('the rolling total is that of the full computation over what is in the window', () => {
  const value = fc.option(fc.nat(20), { freq: 6 })
  const execution = fc.record({ value, after: fc.nat(30) })
  const seen = new Set<string>()
  fc.assert(
    fc.property(
      fc.constantFrom(...STATISTICS),
      fc.array(execution, { maxLength: 60 }),
      fc.integer({ min: 3, max: 9 }),
      (statistic, executions, size) => {
        const more = { window: { executions: size, duration: '1m' }, max_unreadable: 99 }
        const monitor = monitorOf(statistic, more)
        const window = new RollingWindow(monitor)
        const past: { value: number | null; at: number }[] = []
        for (const [i, { value: x, after }] of executions.entries()) {
          const at = (past.at(-1)?.at ?? 0) + after * 1000
          past.push({ value: x, at })
          const [text, over] = x === null ? [null, null] : [String(x), String(x + 1)]
          window.add(sampleOf(i, { 'measure:x': text, 'measure:y': over }, { at }))
          const inside = past.slice(-size).filter((one) => one.at > at - 60_000)
          const found = window.computeVerdict()
          const values = inside.map((one) => one.value)
          assert.equal(found.samples, inside.length)
          assert.equal(found.unreadable, values.filter((one) => one === null).length)
          const full = fullTotal(monitor.statistic, values)
          if (full === null || found.value === null) assert.equal(found.value, full)
          else assert.ok(Math.abs(Number(found.value) - full) < 0.000_002, `${found.value} ${full}`)
          seen.add(`${monitor.statistic.kind} ${found.kind}`)
        }
      },
    ),
    { numRuns: 1500 },
  )
  assert.equal(seen.size, STATISTICS.length * 2, 'each was seen fine and tripped')
})
