import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MonitorStatus } from 'rubicon-agents/client'
import { computeNearness, listByNearness } from './nearness.ts'

function status(
  name: string,
  value: string | null,
  statistic: object,
  state: MonitorStatus['state'] = 'OK',
): MonitorStatus {
  return {
    agent_id: 'refunds',
    monitor: {
      api_version: 'rubicon/v1',
      kind: 'Monitor',
      name,
      agents: [],
      policy_kinds: [],
      statuses: [],
      statistic: { ...statistic },
      window: {},
      min_samples: 1,
      max_unreadable: 0,
    },
    monitor_hash: '',
    origin: 'file',
    agent_status: 'ACTIVE',
    verdict: { kind: 'ok', value, samples: 1, unreadable: 0, breach: null },
    state,
    sentence: '',
  }
}

const MEAN = { kind: 'mean', max: '100' }

test('a value is held against the upper bound, or the lower where there is no other', () => {
  assert.equal(computeNearness(status('a', '80', MEAN)).share, 0.8)
  assert.equal(computeNearness(status('a', '50', { kind: 'rate', min: '40' })).share, 0.8)
  assert.equal(computeNearness(status('a', '3', { kind: 'streak', length: 4 })).share, 0.75)
})

test('where there is no data there is no share, though something was counted', () => {
  assert.equal(computeNearness(status('a', '80', MEAN, 'NO_DATA')).share, null)
  assert.equal(computeNearness(status('a', null, MEAN)).share, null)
  for (const max of ['0', '-1', 'x'])
    assert.equal(computeNearness(status('a', '1', { kind: 'mean', max })).share, null, max)
  assert.equal(computeNearness(status('a', '0', { kind: 'rate', min: '1' })).share, null)
})

test('what has tripped comes first, then the nearest, and last what nothing can be said of', () => {
  const sorted = listByNearness([
    status('none', '99', MEAN, 'NO_DATA'),
    status('far', '10', MEAN),
    status('near', '90', MEAN, 'WARNING'),
    status('tripped', '1', MEAN, 'TRIPPED'),
  ])
  assert.deepEqual(
    sorted.map(({ monitor }) => monitor.name),
    ['tripped', 'near', 'far', 'none'],
  )
})
