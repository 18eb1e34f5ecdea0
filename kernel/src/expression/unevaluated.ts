/** Why an expression has no value. Each of them refuses; which it was is told. */
export type Unevaluated =
  /** Nothing stands there: a pointer into parameters or result, or a path of State. */
  | { readonly kind: 'absent'; readonly path: string }
  /** Something stands there that is no number, or cannot stand in a name. */
  | { readonly kind: 'mismatch'; readonly detail: string }
  /** A number of too many digits, or too many elements. */
  | { readonly kind: 'overflow'; readonly detail: string }

export function describeUnevaluated(why: Unevaluated): string {
  return why.kind === 'absent' ? `\`${why.path}\` is absent` : why.detail
}
