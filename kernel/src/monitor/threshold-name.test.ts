import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildThresholdMonitor } from './threshold-name.ts'

test('the threshold of the specification is a mean over thirty days', () => {
  assert.deepEqual(buildThresholdMonitor('bot', 'max_average_discount_30d', '0.1'), {
    api_version: 'rubicon/v1',
    kind: 'Monitor',
    name: 'max_average_discount_30d',
    agents: ['bot'],
    policy_kinds: [],
    statuses: ['SUCCESS'],
    statistic: { kind: 'mean', value: 'measure:discount', max: '0.1' },
    window: { duration: '30d' },
    min_samples: 20,
    max_unreadable: 0,
  })
})

test('a lower bound, a window of executions and the rate of failures have names too', () => {
  const low = buildThresholdMonitor('bot', 'min_average_margin_per_click_5x', '0')
  assert.deepEqual(low?.statistic, { kind: 'mean', value: 'measure:margin_per_click', min: '0' })
  assert.deepEqual([low?.window, low?.min_samples], [{ executions: 5 }, 5])
  const failing = buildThresholdMonitor('bot', 'max_failure_rate_12h', '0.2')
  assert.deepEqual(failing?.statuses, ['SUCCESS', 'FAILED'])
  assert.deepEqual(failing?.statistic, {
    kind: 'rate',
    value: 'status',
    when: { is: 'FAILED' },
    max: '0.2',
  })
})

test('any other name is none', () => {
  const names = [
    'max_average_discount',
    'max_average_30d',
    'max_average__30d',
    'average_discount_30d',
    'max_mean_discount_30d',
    'max_average_discount_30w',
    'max_average_discount_0x',
    'max_average_discount_x',
    'min_failure_rate_30d',
    'max_average_a b_30d',
    'max_losses_7d',
    '30d',
    '',
  ]
  for (const name of names) assert.equal(buildThresholdMonitor('bot', name, '1'), undefined, name)
})
