/** Monitors and samples for tests, and the full computation that the rolling one must equal. */
import assert from 'node:assert/strict'
import type { JsonObject } from '../canonical/json-value.ts'
import type { Monitor, Statistic } from './monitor.ts'
import { parseMonitor } from './parse-monitor.ts'
import type { Sample } from './sample.ts'

export const MEAN: JsonObject = { kind: 'mean', value: 'measure:x', max: '10' }

export function monitorOf(statistic: JsonObject, more: JsonObject = {}): Monitor {
  const parsed = parseMonitor({
    api_version: 'rubicon/v1',
    kind: 'Monitor',
    name: 'watch',
    agents: ['bot'],
    statistic,
    window: { executions: 5 },
    min_samples: 1,
    ...more,
  })
  assert.ok(parsed.ok, parsed.ok ? '' : JSON.stringify(parsed.error))
  return parsed.value
}

/** The n-th execution, a second after the one before. */
export function sampleOf(n: number, values: Sample['values'], more: Partial<Sample> = {}): Sample {
  return { leaf: n, at: n * 1000, policy_kind: 'OFFER', status: 'SUCCESS', values, ...more }
}

/** Null: unreadable. */
type Number = number | null

/** What the statistic comes to over these values, by floating point: tests use small whole numbers. */
export function fullTotal(statistic: Statistic, values: readonly Number[]): number | null {
  const read = values.filter((value) => value !== null)
  const hits = values.map((value) => value === null || value > 10)
  switch (statistic.kind) {
    case 'mean':
      return read.length === 0 ? null : sum(read) / read.length
    case 'ratio':
      // In these tests a value stands over itself and one more.
      return sum(read.map((x) => x + 1)) === 0 ? null : sum(read) / sum(read.map((x) => x + 1))
    case 'rate':
      return values.length === 0 ? null : hits.filter(Boolean).length / values.length
    case 'streak':
      return values.length - 1 - hits.lastIndexOf(false)
    case 'cusum':
      return Math.max(...values.concat([0]).map((_, i) => sum(read.slice(i).map((x) => x - 10))), 0)
    case 'shift': {
      if (read.length === 0) return null
      const low = read.filter((x) => x <= 10).length / read.length
      return Math.abs(low - 0.5)
    }
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
