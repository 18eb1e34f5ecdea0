/** Whether what was judged as little ran as much. */
import {
  type AcceptedPayload,
  compareDecimal,
  type Decimal,
  isObject,
  type JsonValue,
  type JudgedModification,
  multiplyDecimal,
  type PayloadOf,
  toDecimal,
} from 'rubicon-kernel'

export type Weighed = Pick<
  JudgedModification,
  'impact' | 'impact_reasons' | 'exposure' | 'acknowledge' | 'not_before'
>

/** What was judged as little is not above its threshold, nor far above what was done before, as it runs. */
export function isMoreThan(
  { impact, exposure }: Weighed,
  { past }: PayloadOf['pending_approval']['request'],
  trace: AcceptedPayload['trace'],
): boolean {
  if (impact !== 'LOW_IMPACT' || exposure === null) return false
  const value = toAbsoluteDecimal(findMeasure(trace, exposure.measure))
  const threshold = toDecimal(exposure.threshold)
  if (value === undefined || threshold === undefined) return true
  if (compareDecimal(value, threshold) > 0) return true
  const largest = past === null || past.of_kind === 0 ? undefined : toAbsoluteDecimal(past.largest)
  return largest !== undefined && compareDecimal(value, multiplyDecimal(largest, TEN)) > 0
}

const TEN = { digits: 10n, scale: 0 } as const

function toAbsoluteDecimal(value: JsonValue): Decimal | undefined {
  const found = toDecimal(value)
  if (found === undefined || found.digits >= 0n) return found
  return { ...found, digits: -found.digits }
}

/** Null: it was not computed. */
function findMeasure(trace: JsonValue, measure: string): JsonValue {
  const lines: readonly JsonValue[] = Array.isArray(trace) ? trace : []
  for (const line of lines) {
    const measures = isObject(line) && line.stage === 'preconditions' ? line.measures : undefined
    if (measures !== undefined && isObject(measures) && Object.hasOwn(measures, measure))
      return measures[measure] ?? null
  }
  return null
}
