import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type MonitorVerdict, parseMonitor } from 'rubicon-kernel'
import { computeMonitorState, type MonitorState } from './monitor-state.ts'

function state(
  statistic: object,
  verdict: Partial<MonitorVerdict>,
  agent_status: 'ACTIVE' | 'SUSPENDED' | 'RETIRED' = 'ACTIVE',
  why = '',
): MonitorState {
  const parsed = parseMonitor({
    api_version: 'rubicon/v1',
    kind: 'Monitor',
    name: 'm',
    agents: ['bot'],
    statistic,
    window: { executions: 20 },
  } as never)
  assert.ok(parsed.ok)
  const found = { kind: 'ok', value: null, samples: 20, unreadable: 0, breach: null, ...verdict }
  return computeMonitorState({ agent_status, monitor: parsed.value, verdict: found as never }, why)
}

const MAX = { kind: 'mean', value: 'measure:x', max: '10' }
const MIN = { kind: 'mean', value: 'measure:x', min: '10' }
const STREAK = { kind: 'streak', value: 'status', when: { is: 'FAILED' }, length: 5 }

test('four fifths of the way to a bound is a warning, and just below is not', () => {
  const rows: readonly (readonly [object, string, MonitorState])[] = [
    [MAX, '7.999999', 'OK'],
    [MAX, '8', 'WARNING'],
    [MAX, '-9', 'OK'],
    [MIN, '12.500001', 'OK'],
    [MIN, '12.5', 'WARNING'],
    [STREAK, '3', 'OK'],
    [STREAK, '4', 'WARNING'],
  ]
  for (const [statistic, value, said] of rows)
    assert.equal(state(statistic, { value }), said, `${JSON.stringify(statistic)} ${value}`)
})

test('no data is not fine, and a bound of zero warns of nothing', () => {
  assert.equal(state(MAX, { kind: 'no_data', value: '9' }), 'NO_DATA')
  assert.equal(state(MAX, { value: null }), 'OK')
  assert.equal(state({ ...MAX, max: '0' }, { value: '-1' }), 'OK')
})

test('tripped is who stopped the agent; whoever is stopped otherwise is paused', () => {
  const why =
    'MONITOR_TRIPPED: other is 3, max 1, over 20 executions; MONITOR_TRIPPED: m is 11, max 10, over 20 executions'
  assert.equal(state(MAX, {}, 'SUSPENDED', why), 'TRIPPED')
  assert.equal(state(MAX, {}, 'SUSPENDED', why.replaceAll(': m is', ': mm is')), 'PAUSED')
  const blind = 'MONITOR_TRIPPED: m cannot read 3 values, at most 0, over 20 executions'
  assert.equal(state(MAX, {}, 'SUSPENDED', blind), 'TRIPPED')
  assert.equal(state(MAX, {}, 'SUSPENDED', 'a person stopped it'), 'PAUSED')
  assert.equal(state(MAX, {}, 'RETIRED', why), 'PAUSED')
  assert.equal(state(MAX, { kind: 'trip', value: '11' }), 'TRIPPED')
})
