import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildThresholdMonitor, type Monitor, parseMonitor } from 'rubicon-kernel'
import { describeMonitor } from './monitor-sentence.ts'

function sentence(statistic: object, more: object = {}): string {
  const parsed = parseMonitor({
    api_version: 'rubicon/v1',
    kind: 'Monitor',
    name: 'm',
    agents: ['bot'],
    statistic,
    window: { executions: 20 },
    ...more,
  } as never)
  assert.ok(parsed.ok)
  return describeMonitor(parsed.value)
}

test('every statistic reads as a sentence', () => {
  const discount = 'measure:discount'
  assert.deepEqual(
    [
      sentence({ kind: 'mean', value: discount, max: '0.10' }),
      sentence({ kind: 'rate', value: 'status', when: { is: 'FAILED' }, max: '0.2', min: '0.1' }),
      sentence({ kind: 'ratio', value: 'param:paid', of: discount, max: '2' }),
      sentence({ kind: 'streak', value: discount, when: { above: '0.1' }, length: 5 }),
      sentence({ kind: 'cusum', value: discount, target: '0.1', direction: 'up', max: '1' }),
      sentence({ kind: 'shift', value: discount, edges: ['1'], baseline: [9, 9], max: '0.3' }),
    ],
    [
      'mean discount over the last 20 executions above 0.1',
      'share of executions whose status is FAILED over the last 20 executions above 0.2 or below 0.1',
      'sum of param paid to sum of discount over the last 20 executions above 2',
      'executions in a row whose discount is above 0.1 over the last 20 executions reaching 5',
      'drift of discount up from 0.1, with 0 of slack, over the last 20 executions above 1',
      'distance of the distribution of discount from its baseline over the last 20 executions above 0.3',
    ],
  )
})

test('a window, kinds and outcomes are told where they are not the usual ones', () => {
  const more = { window: { duration: '30d' }, policy_kinds: ['OFFER'], statuses: ['FAILED'] }
  assert.equal(
    sentence({ kind: 'mean', value: 'result:fee', min: '1' }, more),
    'mean result fee over the last 30d of OFFER, settled as FAILED, below 1',
  )
  const threshold: Monitor | undefined = buildThresholdMonitor(
    'bot',
    'max_failure_rate_12h',
    '0.05',
  )
  assert.ok(threshold !== undefined)
  assert.equal(
    describeMonitor(threshold),
    'share of executions whose status is FAILED over the last 12h, settled as SUCCESS or FAILED, above 0.05',
  )
})
