/**
 * A number or a list that is too large for an expression of a manifest. Functions of a capability's law have no
 * other way to say that a value was not merely missing; whoever asks them catches it.
 */
export class ExpressionOverflow extends Error {
  /** What was being computed. */
  readonly of: string

  constructor(of: string, detail: string) {
    super(detail)
    this.name = 'ExpressionOverflow'
    this.of = of
  }
}
