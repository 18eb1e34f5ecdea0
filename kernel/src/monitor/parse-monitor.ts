/**
 * Turns a monitor document into the form that is stored. Everything wrong with it is reported at
 * once, and nothing unknown passes.
 */
import type { JsonValue } from '../canonical/json-value.ts'
import { createDistinctListReader, kinds, listOf } from '../contract/read-list.ts'
import { count, createChoiceReader, readIdentifier } from '../contract/read-scalar.ts'
import { type DocumentProblem, Fields, Place, type Read } from '../contract/reader.ts'
import { LIMITS } from '../limits.ts'
import { err, ok, type Result } from '../result.ts'
import { parseDuration } from './duration.ts'
import type { Monitor, MonitorWindow, SampledStatus, Statistic } from './monitor.ts'
import { SAMPLED_STATUSES } from './monitor.ts'
import { readStatistic } from './parse-statistic.ts'
import { listSources } from './sample.ts'
import { parseSource } from './source.ts'

export function parseMonitor(document: JsonValue): Result<Monitor, readonly DocumentProblem[]> {
  const problems: DocumentProblem[] = []
  const monitor = readMonitor(document, new Place(problems))
  return problems.length === 0 ? ok(monitor) : err(problems)
}

const apiVersion: Read<'rubicon/v1'> = createChoiceReader('rubicon/v1')
const kind: Read<'Monitor'> = createChoiceReader('Monitor')
const status: Read<SampledStatus> = createChoiceReader(...SAMPLED_STATUSES)

function readMonitor(document: JsonValue, place: Place): Monitor {
  const fields = new Fields(document, place)
  const head = {
    api_version: fields.readRequired('api_version', apiVersion),
    kind: fields.readRequired('kind', kind),
    name: fields.readRequired('name', readIdentifier),
    agents: fields.readRequired('agents', readAgents),
    policy_kinds: fields.readDefaulted('policy_kinds', kinds, []),
    statuses: fields.readDefaulted('statuses', readStatuses, ['SUCCESS']),
    statistic: fields.readRequired('statistic', readStatistic),
  }
  // A streak says itself how far it looks.
  const streak = head.statistic.kind === 'streak' ? head.statistic.length : undefined
  const window =
    streak === undefined
      ? fields.readRequired('window', readMonitorWindow)
      : fields.readDefaulted('window', readMonitorWindow, { executions: streak })
  const most = window.executions ?? LIMITS.monitorWindowExecutions
  const monitor: Monitor = {
    ...head,
    window,
    min_samples: fields.readDefaulted(
      'min_samples',
      count(1),
      Math.min(streak ?? LIMITS.monitorMinSamples, most),
    ),
    max_unreadable: fields.readDefaulted('max_unreadable', count(0), 0),
  }
  fields.end()
  checkSizes(monitor, most, place)
  checkFindings(monitor.statistic, place)
  return monitor
}

const readAgents: Read<readonly string[]> = (value, place) => {
  const named = createDistinctListReader(readIdentifier, LIMITS.monitorAgents)(value, place)
  if (Array.isArray(value) && named.length === 0) place.refuse('watches nobody')
  return named
}

const readStatuses: Read<readonly SampledStatus[]> = (value, place) => {
  const named = listOf(status, SAMPLED_STATUSES.length)(value, place)
  if (Array.isArray(value) && named.length === 0) place.refuse('leaves no execution to look at')
  return named
}

const readMonitorWindow: Read<MonitorWindow> = (value, place) => {
  const fields = new Fields(value, place)
  const window: MonitorWindow = {
    ...fields.readOptional('executions', readWindowSize, (executions) => ({ executions })),
    ...fields.readOptional('duration', readDuration, (text) => ({ duration: text })),
  }
  fields.end()
  if (window.executions === undefined && window.duration === undefined)
    place.refuse('needs `executions`, `duration` or both')
  return window
}

const readWindowSize: Read<number> = (value, place) => {
  const size = count(1)(value, place)
  const most = LIMITS.monitorWindowExecutions
  if (size > most) place.refuse(`is more than ${most}`)
  return size
}

const readDuration: Read<string> = (value, place) => {
  if (typeof value === 'string' && parseDuration(value) !== undefined) return value
  const most = `at most ${LIMITS.monitorWindowDays} days`
  place.refuseValue(value, `a time like \`30d\`, \`12h\` or \`45m\`, ${most}`)
  return '1d'
}

/** A monitor that can never have seen enough would be silent for ever. */
function checkSizes({ statistic, min_samples }: Monitor, most: number, place: Place): void {
  if (min_samples > most) place.stepInto('min_samples').refuse('is more than the window holds')
  if (statistic.kind === 'streak' && statistic.length > most)
    place.stepInto('statistic').stepInto('length').refuse('is more than the window holds')
}

/** An execution is looked at when the auditor has spoken; two of them speak at two times. */
function checkFindings(statistic: Statistic, place: Place): void {
  const findings = listSources({ statistic }).filter(
    (source) => parseSource(source)?.kind === 'finding',
  )
  if (findings.length > 1) place.stepInto('statistic').refuse('waits for more than one auditor')
}
