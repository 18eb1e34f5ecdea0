/**
 * Budgets: written as decimals, counted as whole minor units, never rounded.
 *
 * A measure that a budget does not name is zero: what was not granted cannot be spent.
 */
import {
  convertMinorUnits,
  formatDecimal,
  parseDecimal,
  toMinorUnits,
} from '../canonical/decimal.ts'
import { getOwn } from '../contract/own.ts'
import type { Budget } from './writ.ts'

const SCALES: ReadonlyMap<string, number> = new Map([
  ['calls', 0],
  ['tokens', 0],
  ['wall_ms', 0],
  ['usd', 6],
])
/** Measures that contracts name. */
const NAMED_SCALE = 6

/** Whatever a capability says: calls, and what is spent on reasoning. */
export function isCountedByRuntime(measure: string): boolean {
  return SCALES.has(measure)
}

/** Digits after the point that a measure is counted in. */
export function getBudgetScale(measure: string): number {
  return SCALES.get(measure) ?? NAMED_SCALE
}

const UNITS: ReadonlyMap<string, string> = new Map([
  ['wall_ms', 'ms'],
  ['usd', 'USD'],
])

/** What its amounts are amounts of; most measures are called so. */
export function getBudgetUnit(measure: string): string {
  return UNITS.get(measure) ?? measure
}

/** Counters are integers of every store: beyond this none of them counts exactly. */
const MOST_UNITS = BigInt(Number.MAX_SAFE_INTEGER)

/** Undefined for what is no decimal, negative, finer than the measure is counted, or too large. */
export function toBudgetUnits(measure: string, amount: string): bigint | undefined {
  const decimal = parseDecimal(amount)
  if (decimal === undefined) return undefined
  const units = toMinorUnits(decimal, getBudgetScale(measure))
  return units === undefined || units < 0n || units > MOST_UNITS ? undefined : units
}

export function formatBudgetUnits(measure: string, units: bigint): string {
  return formatDecimal(convertMinorUnits(units, getBudgetScale(measure)))
}

/** What a budget grants of a measure; undefined where it names an amount that cannot be counted. */
export function getGrantedUnits(budget: Budget, measure: string): bigint | undefined {
  const amount = getOwn(budget, measure)
  return amount === undefined ? 0n : toBudgetUnits(measure, amount)
}

/** Both together; undefined where an amount cannot be counted: a capability may say anything. */
export function addCost(a: Budget, b: Budget): Budget | undefined {
  const sum: Record<string, string> = Object.create(null)
  for (const measure of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const left = getGrantedUnits(a, measure)
    const right = getGrantedUnits(b, measure)
    if (left === undefined || right === undefined) return undefined
    sum[measure] = formatBudgetUnits(measure, left + right)
  }
  return sum
}

/** The measures in which `used` and `cost` together pass what was granted. */
export function listExceeded(granted: Budget, used: Budget, cost: Budget): readonly string[] {
  return Object.keys(cost).filter((measure) => {
    const limit = getGrantedUnits(granted, measure)
    const spent = getGrantedUnits(used, measure)
    const added = getGrantedUnits(cost, measure)
    const countable = limit !== undefined && spent !== undefined && added !== undefined
    return !countable || spent + added > limit
  })
}
