/**
 * Solves a limit on a measure for the parameter that it is computed from.
 *
 * Two forms are solved: a parameter, and a parameter times one fact or constant. The fact is that of the snapshot: if it
 * moves, compile refuses what the grammar let pass. Everything else is left to compile.
 */
import { compareDecimal, type Decimal, toDecimal } from '../canonical/decimal.ts'
import type { JsonValue } from '../canonical/json-value.ts'
import type { CapabilityDescription } from '../execution/capability.ts'
import type { Expression } from '../expression/expression.ts'
import { parseTextTemplate } from '../expression/text-template.ts'
import { LIMITS } from '../limits.ts'
import { GRAMMAR_LIMITS } from './grammar-limits.ts'
import type { DecimalRange } from './narrow-range.ts'

/** What a path of State holds, as the agent was shown it. */
export type SnapshotFacts = (path: string) => JsonValue | undefined

/** A range for one parameter; `never`: the measure is outside whatever the parameter. */
export type Solved =
  | { readonly kind: 'range'; readonly param: string; readonly range: DecimalRange }
  | { readonly kind: 'never' }
  | { readonly kind: 'unsolved' }

const UNSOLVED: Solved = { kind: 'unsolved' }

export function computeParamRange(
  expression: Expression | undefined,
  range: DecimalRange,
  facts: SnapshotFacts | undefined,
): Solved {
  if (expression === undefined) return UNSOLVED
  if ('param' in expression) return { kind: 'range', param: expression.param, range }
  const product = 'mul' in expression ? expression.mul : []
  const [first, second] = product
  if (first === undefined || second === undefined || product.length > 2) return UNSOLVED
  const [variable, other] = 'param' in first ? [first, second] : [second, first]
  const factor = toFactor(other, facts)
  if (!('param' in variable) || factor === undefined || !isComputable(range, factor))
    return UNSOLVED
  return divideRange(variable.param, range, factor)
}

/** A product of too many digits has no value, which refuses: then it is not the range that decides. */
function isComputable({ min, max }: DecimalRange, factor: Decimal): boolean {
  const open = GRAMMAR_LIMITS.wholeDigits + countDigits(factor)
  const ends = [min, max].map((end) => (end === null ? open : countDigits(end)))
  const most = Math.max(...ends) + factor.scale + GRAMMAR_LIMITS.scaleMost
  return most <= LIMITS.manifestExpression.digits
}

/** Before the point. */
function countDigits({ digits, scale }: Decimal): number {
  return String(digits < 0n ? -digits : digits).length - scale
}

/** Paths of State on which the grammar of a tool depends. */
export function listGrammarPaths({
  manifest,
}: Pick<CapabilityDescription, 'manifest'>): readonly string[] {
  const measures = Object.values(manifest?.measures ?? {})
  const factors = measures.flatMap((one) => ('mul' in one ? one.mul : []))
  return [
    ...new Set(
      factors.flatMap((one) => ('fact' in one && isPlainPath(one.fact) ? [one.fact] : [])),
    ),
  ]
}

function isPlainPath(template: string): boolean {
  const parts = parseTextTemplate(template)
  return parts.ok && !parts.value.some(({ kind }) => kind === 'param')
}

/** A path that names a parameter is another fact for each of its values. */
function toFactor(expression: Expression, facts: SnapshotFacts | undefined): Decimal | undefined {
  if ('const' in expression) return toDecimal(expression.const)
  if (!('fact' in expression)) return undefined
  const value = isPlainPath(expression.fact) ? facts?.(expression.fact) : undefined
  return value === undefined ? undefined : toDecimal(value)
}

const QUOTIENT_SCALE = 18
const ZERO: Decimal = { digits: 0n, scale: 0 }

function divideRange(param: string, { min, max }: DecimalRange, factor: Decimal): Solved {
  if (factor.digits === 0n) {
    const isInside =
      (min === null || compareDecimal(ZERO, min) >= 0) &&
      (max === null || compareDecimal(ZERO, max) <= 0)
    // The measure is known only where the parameter is a number.
    return isInside ? { kind: 'range', param, range: { min: null, max: null } } : { kind: 'never' }
  }
  const [low, high] = factor.digits > 0n ? [min, max] : [max, min]
  return {
    kind: 'range',
    param,
    range: {
      min: low === null ? null : divideInwards(low, factor, 'up'),
      max: high === null ? null : divideInwards(high, factor, 'down'),
    },
  }
}

/** Finer than any parameter; rounded so that what lies inside the quotient lies inside the limit. */
function divideInwards(end: Decimal, factor: Decimal, towards: 'up' | 'down'): Decimal {
  const scale = QUOTIENT_SCALE
  const dividend = end.digits * 10n ** BigInt(scale + factor.scale)
  const divisor = factor.digits * 10n ** BigInt(end.scale)
  const [over, under] = divisor < 0n ? [-dividend, -divisor] : [dividend, divisor]
  const quotient = over / under
  const isExact = quotient * under === over
  const floor = over < 0n && !isExact ? quotient - 1n : quotient
  return { digits: towards === 'down' || isExact ? floor : floor + 1n, scale }
}
