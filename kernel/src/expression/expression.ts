/**
 * Expressions of tool manifests: JSON that the kernel evaluates on decimals, so that what a tool costs, moves and
 * needs is data that anybody can compute again. Nothing here divides, loops or calls.
 */
import type { JsonValue } from '../canonical/json-value.ts'

/** A value. What is absent (a parameter, a fact) refuses. */
export type Expression =
  | {
      /** A JSON pointer into the parameters, without `*`. */
      readonly param: string
    }
  | {
      /** A path of State; `{/pointer}` in it stands for a parameter. */
      readonly fact: string
    }
  | {
      /** A JSON pointer into what the executor returned, empty for all of it; in postcondition, delta and probe alone. */
      readonly result: string
    }
  | {
      /** The HTTP status or exit code that the executor ended with; in a probe alone. */
      readonly status: true
    }
  | {
      /** This value. */
      readonly const: JsonValue
    }
  | {
      /** Their sum. */
      readonly add: readonly Expression[]
    }
  | {
      /** The first without the others. */
      readonly sub: readonly Expression[]
    }
  | {
      /** Their product. */
      readonly mul: readonly Expression[]
    }
  | {
      /** The least of them. */
      readonly min: readonly Expression[]
    }
  | {
      /** The largest of them. */
      readonly max: readonly Expression[]
    }
  | {
      /** Without its sign. */
      readonly abs: Expression
    }
  | {
      /** With the other sign. */
      readonly neg: Expression
    }
  | {
      /** To whole numbers, or to so many digits behind the point; half away from zero. */
      readonly round: Expression
      /** How many stand behind the point. */
      readonly digits?: number
    }
  | {
      /** Evaluated for each element, in which `{item: pointer}` is the element's, and added up. */
      readonly sum: Expression
      /** The elements: a JSON pointer with `*`. */
      readonly of: string
    }
  | {
      /** How many elements there are. */
      readonly count: true
      /** The elements: a JSON pointer with `*`. */
      readonly of: string
    }
  | {
      /** A JSON pointer into the element, empty for the element itself. */
      readonly item: string
    }
  | {
      /** The second where the first holds, else the third. */
      readonly if: readonly [ExpressionCondition, Expression, Expression]
    }

export type ExpressionCondition =
  | { readonly eq: readonly [Expression, Expression] }
  | { readonly lt: readonly [Expression, Expression] }
  | { readonly le: readonly [Expression, Expression] }
  | { readonly in: readonly [Expression, readonly JsonValue[]] }
  | { readonly and: readonly ExpressionCondition[] }
  | { readonly or: readonly ExpressionCondition[] }
  | { readonly not: ExpressionCondition }
