/**
 * Expressions of tool manifests: JSON that the kernel evaluates on decimals, so that what a tool costs, moves and
 * needs is data that anybody can compute again. Nothing here divides, loops or calls.
 */
import type { JsonValue } from '../canonical/json-value.ts'

/** A value. What is absent (a parameter, a fact) refuses. */
export type Expression =
  /** A JSON pointer into the parameters, without `*`. */
  | { readonly param: string }
  /** A path of State; `{/pointer}` in it stands for a parameter. */
  | { readonly fact: string }
  /** A JSON pointer into what the executor returned, empty for all of it; in postcondition, delta and probe alone. */
  | { readonly result: string }
  /** The HTTP status or exit code that the executor ended with; in a probe alone. */
  | { readonly status: true }
  | { readonly const: JsonValue }
  | { readonly add: readonly Expression[] }
  | { readonly sub: readonly Expression[] }
  | { readonly mul: readonly Expression[] }
  | { readonly min: readonly Expression[] }
  | { readonly max: readonly Expression[] }
  | { readonly abs: Expression }
  | { readonly neg: Expression }
  /** To whole numbers, or to so many digits behind the point; half away from zero. */
  | { readonly round: Expression; readonly digits?: number }
  /** `of` names the elements, with `*`; `sum` is evaluated for each, in which `{item: pointer}` is the element's. */
  | { readonly sum: Expression; readonly of: string }
  | { readonly count: true; readonly of: string }
  /** A JSON pointer into the element, empty for the element itself. */
  | { readonly item: string }
  | { readonly if: readonly [ExpressionCondition, Expression, Expression] }

export type ExpressionCondition =
  | { readonly eq: readonly [Expression, Expression] }
  | { readonly lt: readonly [Expression, Expression] }
  | { readonly le: readonly [Expression, Expression] }
  | { readonly in: readonly [Expression, readonly JsonValue[]] }
  | { readonly and: readonly ExpressionCondition[] }
  | { readonly or: readonly ExpressionCondition[] }
  | { readonly not: ExpressionCondition }
