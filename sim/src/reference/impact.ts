/** How much is at stake, once more: only as far as it says that an approval was given for less. */
import type { CapabilityLaw, CompileInput } from 'rubicon-kernel'
import { type Exact, multiplyDecimals, order, parseDecimal } from './exact.ts'

const TEN: Exact = { units: 10n, places: 0 }
const PRACTISED = 10

type Past = NonNullable<CompileInput['facts']['value']['approval']>['past']

/** Who has no past. */
export const NOBODY: Past = { successes: 0, of_kind: 0, largest: null }

/** It was approved as little, and is much now. */
export function isMoreThanApproved(
  { facts }: CompileInput,
  law: CapabilityLaw,
  measures: Readonly<Record<string, unknown>>,
): boolean {
  const { approval } = facts.value
  if (!approval || approval.impact === 'HIGH_IMPACT') return false
  return isMuch(law, measures, approval.past)
}

export function isMuch(
  { description }: CapabilityLaw,
  measures: Readonly<Record<string, unknown>>,
  { successes, of_kind, largest }: Past,
): boolean {
  const { exposure, reversible, risk } = description
  if (risk !== 'low' && risk !== 'medium') return true
  if (of_kind === 0 && successes >= PRACTISED) return true
  if (exposure === undefined) return !reversible
  const [value, threshold] = [
    toAbsolute(measures[exposure.measure]),
    parseDecimal(exposure.threshold),
  ]
  if (value === null || threshold === null || order(value, threshold) > 0) return true
  const before = of_kind === 0 ? null : toAbsolute(largest)
  return before !== null && order(value, multiplyDecimals(before, TEN)) > 0
}

function toAbsolute(value: unknown): Exact | null {
  const found = parseDecimal(value)
  if (found === null || found.units >= 0n) return found
  return { ...found, units: -found.units }
}
