/**
 * What an agent says its reasoning cost. It is an estimate and buys nothing: it can only bring the
 * end of the flow's budget nearer.
 */
import { formatDecimal, toDecimal } from '../canonical/decimal.ts'
import { isForbiddenKey } from '../canonical/forbidden-key.ts'
import { isIdentifier } from '../canonical/identifier.ts'
import { isObject, type JsonValue } from '../canonical/json-value.ts'
import { getOwn } from '../contract/own.ts'
import { LIMITS } from '../limits.ts'
import { err, type Failure, ok, type Result } from '../result.ts'
import { formatBudgetUnits, getGrantedUnits, toBudgetUnits } from '../writ/budget.ts'
import type { Budget } from '../writ/writ.ts'

/** Canonical amounts by measure. */
export function parseUsage(reported: JsonValue | undefined): Result<Budget> {
  if (!isObject(reported)) return refuseUsage('it is no map of measures')
  const measures = Object.keys(reported)
  if (measures.length === 0) return refuseUsage('it names no measure')
  if (measures.length > LIMITS.usageMeasures)
    return refuseUsage(`it names more than ${LIMITS.usageMeasures} measures`)
  const used: Record<string, string> = Object.create(null)
  for (const [measure, value] of Object.entries(reported)) {
    const amount = parseAmount(measure, value)
    if (amount === undefined) return refuseUsage(`\`${measure}\` is no amount that can be counted`)
    if (amount !== '0') used[measure] = amount
  }
  return Object.keys(used).length === 0 ? refuseUsage('it says that nothing was used') : ok(used)
}

/** Undefined for what is no name, no decimal, negative, or more than anybody uses at once. */
function parseAmount(measure: string, value: JsonValue): string | undefined {
  if (!isIdentifier(measure) || isForbiddenKey(measure) || measure === CALLS) return undefined
  const decimal = toDecimal(value)
  if (decimal === undefined) return undefined
  const amount = formatDecimal(decimal)
  const units = toBudgetUnits(measure, amount)
  return units === undefined || units > LIMITS.usageUnits ? undefined : amount
}

/** The runtime counts them itself. */
const CALLS = 'calls'

function refuseUsage(why: string): { readonly ok: false; readonly error: Failure } {
  return err({
    code: 'USAGE_INVALID',
    summary: 'the report of usage cannot be read',
    why,
    fix: 'report what was used since the last report, as in {"tokens": 1200, "usd": "0.012"}',
  })
}

/**
 * What is granted of each measure where several budgets hold: the least. What none of them names has
 * no bound: it is counted to be shown.
 */
export function computeLeastGranted(
  budgets: readonly Budget[],
  measures: readonly string[],
): Budget {
  const least: Record<string, string> = Object.create(null)
  for (const measure of measures) {
    const amounts = budgets.flatMap((budget) => getOwn(budget, measure) ?? [])
    // An amount that cannot be counted grants nothing.
    const units = amounts.map((amount) => toBudgetUnits(measure, amount) ?? 0n)
    const [first, ...others] = units
    if (first === undefined) continue
    least[measure] = formatBudgetUnits(
      measure,
      others.reduce((a, b) => (b < a ? b : a), first),
    )
  }
  return least
}

/** The measures of which more is used than granted; all of it is not more. */
export function listExhausted(granted: Budget, used: Budget): readonly string[] {
  return Object.keys(granted).filter((measure) => {
    const limit = getGrantedUnits(granted, measure)
    const spent = getGrantedUnits(used, measure)
    return limit === undefined || spent === undefined || spent > limit
  })
}
