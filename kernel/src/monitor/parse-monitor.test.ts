import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import { LIMITS } from '../limits.ts'
import { parseMonitor } from './parse-monitor.ts'

const DOCUMENT: JsonObject = {
  api_version: 'rubicon/v1',
  kind: 'Monitor',
  name: 'discount_mean',
  agents: ['offers_bot'],
  statistic: { kind: 'mean', value: 'measure:discount', max: '0.10' },
  window: { executions: 20 },
}

function problems(patch: JsonObject, without: readonly string[] = []): readonly string[] {
  const document = Object.fromEntries(
    Object.entries({ ...DOCUMENT, ...patch }).filter(([name]) => !without.includes(name)),
  )
  const parsed = parseMonitor(document)
  return parsed.ok ? [] : parsed.error.map(({ path, detail }) => `${path.join('.')}: ${detail}`)
}

const statistic = (document: JsonValue): readonly string[] => problems({ statistic: document })

test('a monitor is stored in one form, with what it leaves out filled in', () => {
  const parsed = parseMonitor(DOCUMENT)
  assert.ok(parsed.ok)
  assert.deepEqual(parsed.value, {
    ...DOCUMENT,
    policy_kinds: [],
    statuses: ['SUCCESS'],
    statistic: { kind: 'mean', value: 'measure:discount', max: '0.1' },
    min_samples: 20,
    max_unreadable: 0,
  })
  const again = parseMonitor(parsed.value)
  assert.deepEqual(again, parsed, 'which reads as itself')
})

test('every kind of statistic is read', () => {
  const kinds: readonly JsonObject[] = [
    { kind: 'rate', value: 'status', when: { is: 'FAILED' }, min: 0.1, max: 0.5 },
    { kind: 'ratio', value: 'param:cost', of: 'result:clicks', max: 2 },
    { kind: 'streak', value: 'state:margin', when: { below: 0 }, length: 5 },
    { kind: 'cusum', value: 'measure:x', target: '-1', slack: '0.5', direction: 'down', max: '3' },
    { kind: 'shift', value: 'finding:auditor', edges: [1, 2], baseline: [5, 5, 0], max: '0.2' },
  ]
  for (const one of kinds) assert.deepEqual(statistic(one), [], String(one.kind))
})

test('a streak looks as far as it is long, unless its window says otherwise', () => {
  const streak = { kind: 'streak', value: 'status', when: { is: 'FAILED' }, length: 5 }
  const parsed = parseMonitor({ ...without(DOCUMENT, 'window'), statistic: streak })
  assert.ok(parsed.ok)
  assert.deepEqual([parsed.value.window, parsed.value.min_samples], [{ executions: 5 }, 5])
  assert.deepEqual(problems({ statistic: streak, window: { executions: 4 }, min_samples: 1 }), [
    'statistic.length: is more than the window holds',
  ])
  assert.deepEqual(problems({ statistic: streak, window: { duration: '1d' } }), [])
})

function without(document: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(document).filter(([member]) => member !== name))
}

test('an unknown field is refused, wherever it stands', () => {
  assert.deepEqual(problems({ notify: 'ops' }), ['notify: is not a known field'])
  assert.deepEqual(problems({ window: { executions: 20, hours: 3 } }), [
    'window.hours: is not a known field',
  ])
  const more = { kind: 'mean', value: 'measure:x', max: 1, length: 3 }
  assert.deepEqual(statistic(more), ['statistic.length: is not a known field'])
})

test('a threshold that is no decimal is refused, and so is none', () => {
  for (const max of ['much', '10%', 'NaN', null, true, '1e3'])
    assert.match(
      statistic({ kind: 'mean', value: 'measure:x', max })[0] ?? '',
      /^statistic\.max: must be a decimal number, not/,
    )
  assert.deepEqual(statistic({ kind: 'mean', value: 'measure:x' }), [
    'statistic: needs `max`, `min` or both',
  ])
})

test('an unknown value name is refused', () => {
  for (const value of ['discount', 'cost:x', 'measure:', 'measure:a b', ':x', 7, 'statuses'])
    assert.match(
      statistic({ kind: 'mean', value, max: 1 })[0] ?? '',
      /^statistic\.value: must be `measure:NAME`, .* or `status`, not/,
    )
})

test('a condition says one thing', () => {
  const rate = (when: JsonValue): readonly string[] =>
    statistic({ kind: 'rate', value: 'status', when, max: 1 })
  const one = 'statistic.when: needs one of `is`, `above` and `below`'
  assert.deepEqual(rate({}), [one])
  assert.deepEqual(rate({ above: 1, below: 2 }), [one])
  assert.deepEqual(rate({ above: 'state:limit' }), [])
  assert.match(rate({ above: 'limit' })[0] ?? '', /must be a decimal number/)
  assert.match(rate({ is: 'x'.repeat(LIMITS.monitorTextLength + 1) })[0] ?? '', /is longer than 64/)
  assert.deepEqual(rate({ is: 'x'.repeat(LIMITS.monitorTextLength) }), [])
})

test('a baseline of one is refused as too small, and one must fit the bins', () => {
  const shift = (edges: JsonValue, baseline: JsonValue): readonly string[] =>
    statistic({ kind: 'shift', value: 'measure:x', edges, baseline, max: '0.2' })
  assert.deepEqual(shift(['1'], [1, 0]), [
    'statistic.baseline: counts 1 executions, and needs at least 10',
  ])
  assert.deepEqual(shift(['1'], [9, 0]).length, 1)
  assert.deepEqual(shift(['1'], [9, 1]), [])
  const edges = (count: number): string[] => Array.from({ length: count }, (_, i) => String(i))
  const counts = (count: number): number[] => Array.from({ length: count }, () => 1)
  const most = LIMITS.monitorBins
  assert.deepEqual(shift(edges(most - 1), counts(most)), [])
  assert.ok(shift(edges(most), counts(most + 1))[0]?.startsWith('statistic.edges'))
  assert.deepEqual(shift(['1', '2'], [9, 1]), [
    'statistic.baseline: needs 3 counts, one more than there are edges',
  ])
  for (const edges of [
    ['2', '1'],
    ['1', '1'],
  ])
    assert.deepEqual(shift(edges, [9, 1, 0]), ['statistic: `edges` do not rise'])
})

test('a window must hold what the monitor wants', () => {
  assert.deepEqual(problems({ window: {} }), ['window: needs `executions`, `duration` or both'])
  assert.deepEqual(problems({}, ['window']).length > 0, true)
  assert.deepEqual(problems({ min_samples: 21 }), ['min_samples: is more than the window holds'])
  assert.deepEqual(problems({ min_samples: 20 }), [])
  const most = LIMITS.monitorWindowExecutions
  assert.deepEqual(problems({ window: { executions: most } }), [])
  assert.deepEqual(problems({ window: { executions: most + 1 } }), [
    `window.executions: is more than ${most}`,
  ])
  const timed = parseMonitor({ ...DOCUMENT, window: { duration: '30d' } })
  assert.equal(timed.ok && timed.value.min_samples, LIMITS.monitorMinSamples)
  assert.deepEqual(problems({ window: { duration: '30d' }, min_samples: most }), [])
  assert.deepEqual(problems({ window: { duration: '30d' }, min_samples: most + 1 }).length, 1)
  for (const duration of ['30d', '366d', '1h', '45m'])
    assert.deepEqual(problems({ window: { duration } }), [], duration)
  for (const duration of ['367d', '0d', '1w', 'd', '01d', '1.5h', '9999999m', 30, ''])
    assert.match(problems({ window: { duration } })[0] ?? '', /must be a time like `30d`/)
})

test('somebody is watched, in some outcome, by one auditor at most', () => {
  assert.deepEqual(problems({ agents: [] }), ['agents: watches nobody'])
  assert.match(problems({ agents: 'offers_bot' })[0] ?? '', /must be a list/)
  assert.deepEqual(problems({ statuses: [] }), ['statuses: leaves no execution to look at'])
  assert.match(problems({ statuses: ['UNKNOWN'] })[0] ?? '', /must be one of `SUCCESS`/)
  assert.match(problems({ statuses: 'FAILED' })[0] ?? '', /must be a list/)
  assert.deepEqual(statistic({ kind: 'ratio', value: 'finding:a', of: 'finding:b', max: 1 }), [
    'statistic: waits for more than one auditor',
  ])
  assert.deepEqual(statistic({ kind: 'ratio', value: 'finding:a', of: 'finding:a', max: 1 }), [])
})
