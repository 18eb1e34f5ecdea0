/** The rule of a monitor, as a sentence for people: `mean discount over the last 20 above 0.10`. */
import { assertUnreachable, type Monitor, type Statistic } from 'rubicon-kernel'
import { formatWordList } from './limit-sentence.ts'

export function describeMonitor(monitor: Monitor): string {
  const { policy_kinds, statuses, statistic } = monitor
  const kinds = policy_kinds.length === 0 ? '' : ` of ${formatWordList(policy_kinds)}`
  const settled =
    statuses.length === 1 && statuses[0] === 'SUCCESS' ? '' : `, ${describeStatuses(statuses)}`
  return `${describeStatistic(statistic)} over ${formatWindow(monitor)}${kinds}${settled} ${describeBreach(statistic)}`
}

function describeStatistic(statistic: Statistic): string {
  const value = formatSource(statistic.value)
  switch (statistic.kind) {
    case 'mean':
      return `mean ${value}`
    case 'rate':
      return `share of executions whose ${value} is ${describeCondition(statistic.when)}`
    case 'ratio':
      return `sum of ${value} to sum of ${formatSource(statistic.of)}`
    case 'streak':
      return `executions in a row whose ${value} is ${describeCondition(statistic.when)}`
    case 'cusum':
      return `drift of ${value} ${statistic.direction} from ${statistic.target}, with ${statistic.slack} of slack,`
    case 'shift':
      return `distance of the distribution of ${value} from its baseline`
    default:
      return assertUnreachable(statistic)
  }
}

function describeBreach(statistic: Statistic): string {
  if (statistic.kind === 'streak') return `reaching ${statistic.length}`
  if (statistic.kind === 'cusum' || statistic.kind === 'shift') return `above ${statistic.max}`
  const { max, min } = statistic
  const sides = [
    ...(max === undefined ? [] : [`above ${max}`]),
    ...(min === undefined ? [] : [`below ${min}`]),
  ]
  return formatWordList(sides, 'or')
}

function describeCondition(when: Extract<Statistic, { kind: 'rate' }>['when']): string {
  if ('is' in when) return when.is
  return 'above' in when ? `above ${formatSource(when.above)}` : `below ${formatSource(when.below)}`
}

/** `measure:discount` is what people call discount. */
function formatSource(source: string): string {
  const colon = source.indexOf(':')
  if (colon < 0) return source
  const [kind, name] = [source.slice(0, colon), source.slice(colon + 1)]
  return kind === 'measure' ? name : `${kind} ${name}`
}

function formatWindow({ window: { executions, duration } }: Monitor): string {
  const last = executions === undefined ? null : `the last ${executions} executions`
  const since = duration === undefined ? null : `the last ${duration}`
  if (last === null) return since ?? 'all executions'
  return since === null ? last : `${last} within ${since}`
}

function describeStatuses(statuses: readonly string[]): string {
  return `settled as ${formatWordList(statuses, 'or')},`
}
