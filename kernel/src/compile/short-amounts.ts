/**
 * What a refused call asks of its budgets, beside what is left of them: who is told "not enough" and no
 * amounts tries again with a guess. Amounts are decimals as text; null where they cannot be counted.
 */
import type { JsonObject } from '../canonical/json-value.ts'
import { formatBudgetUnits, getBudgetUnit, toBudgetUnits } from '../writ/budget.ts'

/** One row that does not cover what is asked. */
export type ShortRow = {
  readonly measure: string
  readonly asked: string
  readonly granted: string
  /** Undefined: nobody has counted it. */
  readonly used: string | undefined
}

/** `{measures, amounts}`; of several rows for one measure the first that does not hold. */
export function buildShortageDetails(rows: readonly ShortRow[]): JsonObject {
  const all = rows.map(({ measure }) => measure)
  const first = rows.filter(({ measure }, at) => all.indexOf(measure) === at)
  return {
    measures: first.map(({ measure }) => measure),
    amounts: Object.fromEntries(first.map((row) => [row.measure, buildAmounts(row)])),
  }
}

function buildAmounts({ measure, asked, granted, used }: ShortRow): JsonObject {
  const limit = toBudgetUnits(measure, granted)
  const spent = used === undefined ? undefined : toBudgetUnits(measure, used)
  const left = limit === undefined || spent === undefined ? undefined : limit - spent
  const text = (units: bigint | undefined): string | null =>
    units === undefined ? null : formatBudgetUnits(measure, units)
  return {
    asked: text(toBudgetUnits(measure, asked)),
    // More may have been spent than was granted: reasoning is counted whether it fits or not.
    left: text(left !== undefined && left < 0n ? 0n : left),
    limit: text(limit),
    unit: getBudgetUnit(measure),
  }
}

/** `usd: asked 1, left 0.5 of 10 USD`, for people; empty where no amounts are named. */
export function formatAmounts({ amounts }: { readonly amounts?: unknown }): string {
  if (!isRecord(amounts)) return ''
  return Object.entries(amounts)
    .flatMap(([measure, said]) => (isRecord(said) ? [formatShortMeasure(measure, said)] : []))
    .join('; ')
}

function isRecord(value: unknown): value is Partial<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function formatShortMeasure(
  measure: string,
  { asked, left, limit, unit }: Partial<Record<string, unknown>>,
): string {
  const formatFigure = (value: unknown): string => (typeof value === 'string' ? value : 'uncounted')
  const of = unit === measure ? '' : ` ${String(unit)}`
  return `${measure}: asked ${formatFigure(asked)}, left ${formatFigure(left)} of ${formatFigure(limit)}${of}`
}
