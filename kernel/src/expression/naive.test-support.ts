/**
 * The reference that evaluation is held against: every number is a whole number of 10^-200, so that nothing here
 * knows of scales, and every step says how many digits it would be written with.
 */
import fc from 'fast-check'
import type { JsonObject } from '../canonical/json-value.ts'
import type { ExpressionScope } from './evaluate.ts'
import type { Expression, ExpressionCondition } from './expression.ts'

const PLACES = 200
const UNIT = 10n ** BigInt(PLACES)
const MOST = 34

const PARAMS: JsonObject = {
  a: '3.75',
  b: -12,
  c: '99999999999999999999.123456789',
  lines: [{ n: '1.5' }, { n: -2 }, { n: '0.001' }],
}
const FACTS: Readonly<Record<string, string>> = { 'fact.one': '0.1', 'fact.two': '-77777777.7' }

const scope: ExpressionScope = { params: PARAMS, state: (path) => FACTS[path] }

/** Undefined: it does not fit. */
export function computeNaively(expression: Expression): {
  readonly scope: ExpressionScope
  readonly value: string | undefined
} {
  try {
    return { scope, value: write(compute(expression, null)) }
  } catch {
    return { scope, value: undefined }
  }
}

function compute(expression: Expression, item: string | number | null): bigint {
  if ('param' in expression) return fit(read(String(PARAMS[expression.param.slice(1)])))
  if ('fact' in expression) return fit(read(FACTS[expression.fact] ?? ''))
  if ('const' in expression) return fit(read(String(expression.const)))
  if ('item' in expression) return fit(read(String(item)))
  if ('add' in expression) return fold(expression.add, item, (a, b) => a + b)
  if ('sub' in expression) return fold(expression.sub, item, (a, b) => a - b)
  if ('mul' in expression) return fold(expression.mul, item, (a, b) => divide(a * b))
  if ('min' in expression) return fold(expression.min, item, (a, b) => (b < a ? b : a))
  if ('max' in expression) return fold(expression.max, item, (a, b) => (b > a ? b : a))
  if ('neg' in expression) return -compute(expression.neg, item)
  if ('abs' in expression) {
    const value = compute(expression.abs, item)
    return value < 0n ? -value : value
  }
  if ('round' in expression) return round(compute(expression.round, item), expression.digits ?? 0)
  if ('sum' in expression) {
    let total = 0n
    for (const { n } of PARAMS.lines as readonly { n: string | number }[])
      total = fit(total + compute(expression.sum, n))
    return total
  }
  if ('count' in expression) return 3n * UNIT
  if ('if' in expression) {
    const [condition, chosen, other] = expression.if
    return compute(holds(condition, item) ? chosen : other, item)
  }
  throw new Error('not in the reference')
}

function holds(condition: ExpressionCondition, item: string | number | null): boolean {
  if ('lt' in condition) return compute(condition.lt[0], item) < compute(condition.lt[1], item)
  if ('le' in condition) return compute(condition.le[0], item) <= compute(condition.le[1], item)
  if ('not' in condition) return !holds(condition.not, item)
  if ('and' in condition) return condition.and.every((one) => holds(one, item))
  if ('or' in condition) return condition.or.some((one) => holds(one, item))
  throw new Error('not in the reference')
}

function fold(
  list: readonly Expression[],
  item: string | number | null,
  combine: (a: bigint, b: bigint) => bigint,
): bigint {
  const [first, ...others] = list
  if (first === undefined) throw new Error('nothing to fold')
  let total = compute(first, item)
  for (const one of others) total = fit(combine(total, compute(one, item)))
  return total
}

function round(value: bigint, digits: number): bigint {
  const step = 10n ** BigInt(PLACES - digits)
  const half = value < 0n ? -step / 2n : step / 2n
  return fit(((value + half) / step) * step)
}

function divide(value: bigint): bigint {
  if (value % UNIT !== 0n) throw new Error('the reference has too few places')
  return value / UNIT
}

function read(text: string): bigint {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.')
  const size = BigInt(whole + fraction.padEnd(PLACES, '0'))
  return text.startsWith('-') ? -size : size
}

function write(value: bigint): string {
  const size = String(value < 0n ? -value : value).padStart(PLACES + 1, '0')
  const whole = size.slice(0, -PLACES)
  const fraction = size.slice(-PLACES).replace(/0+$/, '')
  return `${value < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/** As it is written: 34 digits, and as many behind the point. */
function fit(value: bigint): bigint {
  const [whole = '', fraction = ''] = write(value).replace('-', '').split('.')
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  if (digits.length > MOST || fraction.length > MOST) throw new Error('too many digits')
  return value
}

const numerals = fc.oneof(
  fc.integer({ min: -1_000_000, max: 1_000_000 }),
  fc.tuple(fc.bigInt({ min: 1n, max: 10n ** 20n }), fc.nat(999_999)).map(([w, f]) => `${w}.${f}`),
  fc.bigInt({ min: -(10n ** 33n), max: 10n ** 33n }).map(String),
)

/** Each has an operator above everything that is read: then its value is a plain decimal. */
export const expressions: fc.Arbitrary<Expression> = fc
  .letrec<{ any: Expression; leaf: Expression; condition: ExpressionCondition }>((tie) => ({
    leaf: fc.oneof(
      fc.constantFrom<Expression>(
        { param: '/a' },
        { param: '/b' },
        { param: '/c' },
        { fact: 'fact.one' },
        { fact: 'fact.two' },
        { count: true, of: '/lines/*' },
        { sum: { item: '/n' }, of: '/lines/*' },
        { sum: { mul: [{ item: '/n' }, { param: '/a' }] }, of: '/lines/*' },
      ),
      numerals.map((value): Expression => ({ const: value })),
    ),
    any: fc.oneof(
      { depthSize: 'small', maxDepth: 5 },
      tie('leaf'),
      fc
        .tuple(
          fc.constantFrom('add', 'sub', 'mul', 'min', 'max'),
          fc.array(tie('any'), { minLength: 2, maxLength: 3 }),
        )
        .map(([operator, list]) => ({ [operator]: list }) as unknown as Expression),
      fc
        .tuple(fc.constantFrom('abs', 'neg'), tie('any'))
        .map(([operator, one]) => ({ [operator]: one }) as unknown as Expression),
      fc.tuple(tie('any'), fc.nat(8)).map(([one, digits]): Expression => ({ round: one, digits })),
      fc.tuple(tie('condition'), tie('any'), tie('any')).map((list): Expression => ({ if: list })),
    ),
    condition: fc.oneof(
      { depthSize: 'small', maxDepth: 3 },
      fc.tuple(tie('any'), tie('any')).map((list): ExpressionCondition => ({ lt: list })),
      fc.tuple(tie('any'), tie('any')).map((list): ExpressionCondition => ({ le: list })),
      fc
        .array(tie('condition'), { minLength: 2, maxLength: 3 })
        .map((list): ExpressionCondition => ({ and: list })),
      tie('condition').map((one): ExpressionCondition => ({ not: one })),
    ),
  }))
  .any.map((one): Expression => ({ add: [one, { const: 0 }] }))
  .filter((one) => JSON.stringify(one).length < 3_000)
