/**
 * Evaluates expressions of tool manifests, exactly.
 *
 * E1 Same expression, same scope: same value. There is no time, no randomness and no order but that of the
 *    document.
 * E2 The work is bounded: expressions are bounded where they are parsed, elements and digits here.
 * E3 What is absent, no number or too large gives no value, and says which; nothing throws.
 */
import { assertUnreachable } from '../assert.ts'
import {
  addDecimal,
  compareDecimal,
  type Decimal,
  formatDecimal,
  multiplyDecimal,
  negateDecimal,
  subtractDecimal,
  toDecimal,
  toMagnitude,
} from '../canonical/decimal.ts'
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import { LIMITS } from '../limits.ts'
import { err, ok, type Result } from '../result.ts'
import { listElements } from './elements.ts'
import type { Expression, ExpressionCondition } from './expression.ts'
import { chooseLarger, chooseSmaller, isShortNumber, roundDecimal } from './number.ts'
import { parsePlace, readNames } from './read-at.ts'
import { Comparison } from './same-json.ts'
import { fillTextTemplate } from './text-template.ts'
import type { Unevaluated } from './unevaluated.ts'
import { Computed, isNumber, isNumeral, type Value } from './value.ts'

/** What an expression may read. */
export type ExpressionScope = {
  readonly params: JsonObject
  /** The value of a path of State, as far as whoever asks may read it. */
  readonly state?: (path: string) => JsonValue | undefined
  /** What the executor returned. */
  readonly result?: JsonValue
  readonly status?: number
}

export function evaluateExpression(
  expression: Expression,
  scope: ExpressionScope,
): Result<JsonValue, Unevaluated> {
  const evaluation = new Evaluation(scope)
  const value = evaluation.evaluate(expression)
  if (value === undefined) return err(evaluation.why)
  return ok(value instanceof Computed ? formatDecimal(value.decimal) : value)
}

export function evaluateCondition(
  condition: ExpressionCondition,
  scope: ExpressionScope,
): Result<boolean, Unevaluated> {
  const evaluation = new Evaluation(scope)
  const holds = evaluation.judge(condition)
  return holds === undefined ? err(evaluation.why) : ok(holds)
}

/** How what is missing in a result is named: pointers alone are those into the parameters. */
export const RESULT = 'result'

const ZERO: Decimal = { digits: 0n, scale: 0 }

/** `undefined` is no value: then `why` says why. */
class Evaluation {
  why: Unevaluated = { kind: 'mismatch', detail: 'nothing was evaluated' }
  readonly #scope: ExpressionScope
  /** The element that `sum` is at. */
  #item: JsonValue | undefined = undefined
  #elements = 0
  readonly #comparison = new Comparison()
  readonly #places = new Map<string, readonly string[]>()

  constructor(scope: ExpressionScope) {
    this.#scope = scope
  }

  evaluate(expression: Expression): Value | undefined {
    if ('param' in expression) return this.#readFrom(this.#scope.params, expression.param)
    if ('fact' in expression) return this.#readFact(expression.fact)
    if ('result' in expression) return this.#readFrom(this.#scope.result, expression.result, RESULT)
    if ('status' in expression) return this.#scope.status ?? this.#stopAbsent('status')
    if ('const' in expression) return expression.const
    if ('item' in expression) return this.#readFrom(this.#item, expression.item)
    if ('if' in expression) return this.#choose(expression.if)
    const number = this.#compute(expression)
    return number === undefined ? undefined : new Computed(number)
  }

  judge(condition: ExpressionCondition): boolean | undefined {
    if ('not' in condition) {
      const holds = this.judge(condition.not)
      return holds === undefined ? undefined : !holds
    }
    if ('and' in condition) return this.#holdAll(condition.and)
    if ('or' in condition) return this.#holdAny(condition.or)
    if ('eq' in condition) return this.#compareEqual(condition.eq)
    if ('in' in condition) return this.#findAmong(condition.in)
    if ('lt' in condition) return this.#compareOrder(condition.lt, (order) => order < 0)
    if ('le' in condition) return this.#compareOrder(condition.le, (order) => order <= 0)
    return assertUnreachable(condition)
  }

  #compute(expression: Exclude<Expression, Read>): Decimal | undefined {
    if ('add' in expression) return this.#fold(expression.add, addDecimal)
    if ('sub' in expression) return this.#fold(expression.sub, subtractDecimal)
    if ('mul' in expression) return this.#fold(expression.mul, multiplyDecimal)
    if ('min' in expression) return this.#fold(expression.min, chooseSmaller)
    if ('max' in expression) return this.#fold(expression.max, chooseLarger)
    if ('abs' in expression) return this.#apply(expression.abs, toMagnitude)
    if ('neg' in expression) return this.#apply(expression.neg, negateDecimal)
    if ('round' in expression) {
      const { round, digits = 0 } = expression
      return this.#apply(round, (number) => roundDecimal(number, digits))
    }
    if ('sum' in expression) return this.#sum(expression.sum, expression.of)
    if ('count' in expression) return this.#count(expression.of)
    return assertUnreachable(expression)
  }

  #readFrom(root: JsonValue | undefined, pointer: string, name = ''): JsonValue | undefined {
    const value = root === undefined ? undefined : readNames(root, this.#parse(pointer))
    return value === undefined ? this.#stopAbsent(`${name}${pointer}`) : value
  }

  /** A sum reads at the same pointer for every element. */
  #parse(pointer: string): readonly string[] | undefined {
    const known = this.#places.get(pointer)
    if (known !== undefined) return known
    const names = parsePlace(pointer)
    if (names !== undefined) this.#places.set(pointer, names)
    return names
  }

  #readFact(template: string): JsonValue | undefined {
    const { params, state } = this.#scope
    const path = fillTextTemplate(template, params, 'path')
    if (!path.ok) return this.#stop(path.error)
    const value = state?.(path.value)
    return value === undefined ? this.#stopAbsent(path.value) : value
  }

  /** Only what is chosen is evaluated. */
  #choose([condition, chosen, other]: readonly [ExpressionCondition, Expression, Expression]):
    | Value
    | undefined {
    const holds = this.judge(condition)
    if (holds === undefined) return undefined
    return this.evaluate(holds ? chosen : other)
  }

  #evaluateNumber(expression: Expression): Decimal | undefined {
    const value = this.evaluate(expression)
    return value === undefined ? undefined : this.#toNumber(value)
  }

  #toNumber(value: Value): Decimal | undefined {
    if (value instanceof Computed) return value.decimal
    const decimal = toDecimal(value)
    if (decimal === undefined) return this.#stop({ kind: 'mismatch', detail: 'not a number' })
    return this.#limit(decimal)
  }

  #limit(decimal: Decimal): Decimal | undefined {
    if (isShortNumber(decimal)) return decimal
    const { digits } = LIMITS.manifestExpression
    return this.#stop({ kind: 'overflow', detail: `a number of more than ${digits} digits` })
  }

  #apply(of: Expression, compute: (number: Decimal) => Decimal): Decimal | undefined {
    const number = this.#evaluateNumber(of)
    return number === undefined ? undefined : this.#limit(compute(number))
  }

  /** From the left; every number on the way keeps within the digits. */
  #fold(
    list: readonly Expression[],
    combine: (a: Decimal, b: Decimal) => Decimal,
  ): Decimal | undefined {
    let total: Decimal | undefined
    for (const one of list) {
      const number = this.#evaluateNumber(one)
      if (number === undefined) return undefined
      total = total === undefined ? number : this.#limit(combine(total, number))
      if (total === undefined) return undefined
    }
    return total
  }

  #sum(each: Expression, of: string): Decimal | undefined {
    const elements = this.#listElements(of)
    if (elements === undefined) return undefined
    const outer = this.#item
    let total: Decimal | undefined = ZERO
    for (const element of elements) {
      this.#item = element
      const number = this.#evaluateNumber(each)
      total = number === undefined ? undefined : this.#limit(addDecimal(total, number))
      if (total === undefined) return undefined
    }
    this.#item = outer
    return total
  }

  #count(of: string): Decimal | undefined {
    const elements = this.#listElements(of)
    return elements === undefined ? undefined : { digits: BigInt(elements.length), scale: 0 }
  }

  #listElements(of: string): readonly JsonValue[] | undefined {
    const { elements: most } = LIMITS.manifestExpression
    const elements = listElements(this.#scope.params, of, most - this.#elements)
    if (elements === 'absent') return this.#stopAbsent(of)
    if (elements === 'overflow')
      return this.#stop({ kind: 'overflow', detail: `more than ${most} elements` })
    this.#elements += elements.length
    return elements
  }

  #holdAll(conditions: readonly ExpressionCondition[]): boolean | undefined {
    for (const condition of conditions) {
      const holds = this.judge(condition)
      if (holds !== true) return holds
    }
    return true
  }

  #holdAny(conditions: readonly ExpressionCondition[]): boolean | undefined {
    for (const condition of conditions) {
      const holds = this.judge(condition)
      if (holds !== false) return holds
    }
    return false
  }

  #compareOrder(
    [left, right]: readonly [Expression, Expression],
    accepts: (order: number) => boolean,
  ): boolean | undefined {
    const a = this.#evaluateNumber(left)
    const b = a === undefined ? undefined : this.#evaluateNumber(right)
    return a === undefined || b === undefined ? undefined : accepts(compareDecimal(a, b))
  }

  #compareEqual([left, right]: readonly [Expression, Expression]): boolean | undefined {
    const a = this.evaluate(left)
    const b = a === undefined ? undefined : this.evaluate(right)
    return a === undefined || b === undefined ? undefined : this.#isEqual(a, b)
  }

  #findAmong([one, list]: readonly [Expression, readonly JsonValue[]]): boolean | undefined {
    const value = this.evaluate(one)
    if (value === undefined) return undefined
    for (const candidate of list) {
      const equal = this.#isEqual(value, candidate)
      if (equal !== false) return equal
    }
    return false
  }

  /** Numbers by value (`100` is `"100.00"`), everything else exactly as it is written. */
  #isEqual(a: Value, b: Value): boolean | undefined {
    if (!isNumber(a) && !isNumber(b)) return this.#comparison.isSame(a, b) ?? this.#stopCompared()
    if (!this.#comparison.countNumber()) return this.#stopCompared()
    if (!isNumeral(a) || !isNumeral(b)) return false
    const [left, right] = [this.#toNumber(a), this.#toNumber(b)]
    return left === undefined || right === undefined ? undefined : compareDecimal(left, right) === 0
  }

  #stop(why: Unevaluated): undefined {
    this.why = why
  }

  #stopCompared(): undefined {
    return this.#stop({ kind: 'overflow', detail: 'too much to compare' })
  }

  #stopAbsent(path: string): undefined {
    return this.#stop({ kind: 'absent', path })
  }
}

/** What gives a value as it is written, or chooses one. */
type Read = Extract<
  Expression,
  | { readonly param: string }
  | { readonly fact: string }
  | { readonly result: string }
  | { readonly status: true }
  | { readonly const: JsonValue }
  | { readonly item: string }
  | { readonly if: readonly [ExpressionCondition, Expression, Expression] }
>
