/**
 * A job that could not be done. Not a verdict (that is a decision) and not a bug (that throws).
 * `summary` is lower case, without a final period, user input in backticks; `fix` is help, kept apart.
 */
export type Failure = {
  readonly code: string
  readonly summary: string
  readonly why?: string
  readonly fix?: string
  readonly meta?: Readonly<Record<string, unknown>>
}

export type Result<T, E = Failure> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E }

export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value }
}

export function err<E>(error: E): { readonly ok: false; readonly error: E } {
  return { ok: false, error }
}
