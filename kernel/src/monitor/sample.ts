/**
 * One settled execution, joined with what it was decided on, as far as monitors look at it; and what
 * a statistic reads of it.
 *
 * A value that is there and is no number, or that should be there and is not, is unreadable. It is
 * never left out: the statistic is told, and counts it against the agent.
 */
import { assertUnreachable } from '../assert.ts'
import {
  compareDecimal,
  type Decimal,
  formatDecimal,
  negateDecimal,
  parseDecimal,
  subtractDecimal,
  toDecimal,
} from '../canonical/decimal.ts'
import type { JsonValue } from '../canonical/json-value.ts'
import { shorten } from '../canonical/shorten.ts'
import { LIMITS } from '../limits.ts'
import type { Condition, Monitor, SampledStatus, Statistic } from './monitor.ts'
import { parseSource } from './source.ts'
import { ONE, toExactDecimal, ZERO } from './total.ts'

export type Sample = {
  /** Where it stands in the tree. */
  readonly leaf: number
  readonly at: number
  readonly policy_kind: string
  readonly status: SampledStatus
  /** By source. Null: unreadable; absent: executions of this kind have no such value. */
  readonly values: Readonly<Record<string, string | null>>
}

/** What is added up. `over` is 1 unless the statistic is a ratio. Null: unreadable. */
export type Reading = { readonly amount: Decimal; readonly over: Decimal } | null

/** Undefined: the execution is none that the monitor watches. */
export type Reader = (sample: Sample) => Reading | undefined

const HIT: Reading = { amount: ONE, over: ONE }
const MISS: Reading = { amount: ZERO, over: ONE }

/** The sources whose values a monitor reads, each once. */
export function listSources({ statistic }: Pick<Monitor, 'statistic'>): readonly string[] {
  const sources = [statistic.value]
  if (statistic.kind === 'ratio') sources.push(statistic.of)
  if (statistic.kind === 'rate' || statistic.kind === 'streak') {
    const bound = getConditionBound(statistic.when)
    if (parseSource(bound) !== undefined && !('is' in statistic.when)) sources.push(bound)
  }
  return [...new Set(sources)]
}

function getConditionBound(when: Condition): string {
  if ('is' in when) return when.is
  return 'above' in when ? when.above : when.below
}

/** A JSON value as monitors keep it; null where it is no text, number or truth. */
export function toWatchedText(value: JsonValue | undefined): string | null {
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'number') {
    const decimal = toDecimal(value)
    return decimal === undefined ? null : formatDecimal(decimal)
  }
  if (typeof value !== 'string') return null
  // The mark keeps what was cut from being equal to anything.
  const most = LIMITS.monitorTextLength
  return value.length <= most ? value : `${shorten(value, most)}…`
}

export function createReader({ policy_kinds, statuses, statistic }: Monitor): Reader {
  const sources = listSources({ statistic })
  const kinds = new Set(policy_kinds)
  const settled = new Set<string>(statuses)
  const read = createStatisticReader(statistic)
  return (sample) => {
    if (!settled.has(sample.status)) return undefined
    if (kinds.size > 0 && !kinds.has(sample.policy_kind)) return undefined
    for (const source of sources) if (sample.values[source] === undefined) return undefined
    return read((source) => sample.values[source] ?? null)
  }
}

type Value = (source: string) => string | null

function createStatisticReader(statistic: Statistic): (value: Value) => Reading {
  const remembered = createDecimalCache()
  const findDecimal = (value: Value, source: string): Decimal | undefined =>
    remembered(value(source) ?? '')
  switch (statistic.kind) {
    case 'rate':
    case 'streak':
      return createConditionReader(statistic.value, statistic.when, findDecimal)
    case 'ratio':
      return (value) => {
        const amount = findDecimal(value, statistic.value)
        const over = findDecimal(value, statistic.of)
        // A share of less than nothing turns the comparison around.
        return amount === undefined || over === undefined || over.digits < 0n
          ? null
          : { amount, over }
      }
    case 'cusum': {
      const beyond = createExcessMeasure(statistic)
      return (value) => toReading(findDecimal(value, statistic.value), beyond)
    }
    case 'mean':
    case 'shift':
      return (value) => toReading(findDecimal(value, statistic.value))
    default:
      return assertUnreachable(statistic)
  }
}

function toReading(
  decimal: Decimal | undefined,
  change: (decimal: Decimal) => Decimal = (same) => same,
): Reading {
  return decimal === undefined ? null : { amount: change(decimal), over: ONE }
}

/** How far beyond target and slack, in the direction that is watched. */
function createExcessMeasure({
  target,
  slack,
  direction,
}: Extract<Statistic, { kind: 'cusum' }>): (value: Decimal) => Decimal {
  const middle = toExactDecimal(target)
  const free = toExactDecimal(slack)
  return (value) => {
    const above = subtractDecimal(value, middle)
    return subtractDecimal(direction === 'up' ? above : negateDecimal(above), free)
  }
}

function createConditionReader(
  source: string,
  when: Condition,
  decimalAt: (value: Value, source: string) => Decimal | undefined,
): (value: Value) => Reading {
  if ('is' in when)
    return (value) => {
      const text = value(source)
      return text === null ? null : text === when.is ? HIT : MISS
    }
  const bound = getConditionBound(when)
  const wanted = 'above' in when ? 1 : -1
  const fixed = parseDecimal(bound)
  return (value) => {
    const left = decimalAt(value, source)
    const right = fixed ?? decimalAt(value, bound)
    if (left === undefined || right === undefined) return null
    return compareDecimal(left, right) === wanted ? HIT : MISS
  }
}

const REMEMBERED = 4_096

/** Values repeat: most prices and shares of a window are the same few. */
function createDecimalCache(): (text: string) => Decimal | undefined {
  const known = new Map<string, Decimal | undefined>()
  return (text) => {
    if (known.has(text)) return known.get(text)
    const decimal = parseDecimal(text)
    if (known.size < REMEMBERED) known.set(text, decimal)
    return decimal
  }
}
