/**
 * A job that could not be done. Not a verdict (that is a decision) and not a bug (that throws).
 * `summary` is lower case, without a final period, user input in backticks; `fix` is help, kept apart.
 */
export type Failure = {
  /** As `rubicon explain` knows it. */
  readonly code: string
  /** What went wrong, in one line. */
  readonly summary: string
  /** Why there is such a rule. */
  readonly why?: string
  /** What helps. */
  readonly fix?: string
  /** What belongs to it. */
  readonly meta?: Readonly<Record<string, unknown>>
}

/** A value, or why there is none. */
export type Result<T, E = Failure> =
  | {
      readonly ok: true
      /** What was asked for. */
      readonly value: T
    }
  | {
      readonly ok: false
      /** Why there is none. */
      readonly error: E
    }

export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value }
}

export function err<E>(error: E): { readonly ok: false; readonly error: E } {
  return { ok: false, error }
}
