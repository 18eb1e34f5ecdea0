/**
 * The short names of a contract's `aggregate_thresholds`, and the monitors that they stand for.
 *
 *   max_average_MEASURE_WINDOW   the mean of a measure of the successful executions, at most
 *   min_average_MEASURE_WINDOW   the same, at least
 *   max_failure_rate_WINDOW      the share of executions that failed, at most
 *
 * WINDOW is `30d`, `12h` or `45m`, or `20x` for the last twenty executions. There are no others: a
 * threshold whose name nobody understands is a threshold that nobody enforces.
 */
import { isIdentifier } from '../canonical/identifier.ts'
import { LIMITS } from '../limits.ts'
import { parseCount, parseDuration } from './duration.ts'
import type { Monitor, MonitorWindow, SampledStatus, Statistic } from './monitor.ts'

/** Of one length: what follows is the name of the measure. */
const MAX_AVERAGE = 'max_average_'
const MIN_AVERAGE = 'min_average_'

type Watched = { readonly statistic: Statistic; readonly statuses: readonly SampledStatus[] }

/** Undefined where the name is none of them. */
export function buildThresholdMonitor(
  agent: string,
  name: string,
  bound: string,
): Monitor | undefined {
  const split = name.lastIndexOf('_')
  const window = parseWindow(name.slice(split + 1))
  const watched = parseWatched(name.slice(0, Math.max(0, split)), bound)
  if (window === undefined || watched === undefined) return undefined
  return {
    api_version: 'rubicon/v1',
    kind: 'Monitor',
    name,
    agents: [agent],
    policy_kinds: [],
    ...watched,
    window,
    min_samples: Math.min(LIMITS.monitorMinSamples, window.executions ?? Number.MAX_SAFE_INTEGER),
    max_unreadable: 0,
  }
}

function parseWatched(text: string, bound: string): Watched | undefined {
  if (text === 'max_failure_rate') {
    const statistic = { kind: 'rate', value: 'status', when: { is: 'FAILED' }, max: bound } as const
    return { statistic, statuses: ['SUCCESS', 'FAILED'] }
  }
  const measure = text.slice(MAX_AVERAGE.length)
  const value = `measure:${measure}`
  if (!isIdentifier(measure)) return undefined
  if (text.startsWith(MAX_AVERAGE))
    return { statistic: { kind: 'mean', value, max: bound }, statuses: ['SUCCESS'] }
  if (text.startsWith(MIN_AVERAGE))
    return { statistic: { kind: 'mean', value, min: bound }, statuses: ['SUCCESS'] }
  return undefined
}

function parseWindow(text: string): MonitorWindow | undefined {
  if (parseDuration(text) !== undefined) return { duration: text }
  const executions = text.endsWith('x') ? parseCount(text.slice(0, -1)) : undefined
  return executions === undefined ? undefined : { executions }
}
