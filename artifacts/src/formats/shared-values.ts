/** Values that a text writes once and means in several places. */
import type { Span } from '../text/span.ts'

export type SharedValues = {
  /** Symbols whose values have a name, whether or not another place means them. */
  readonly anchored: readonly string[]
  readonly aliases: readonly {
    readonly at: Span
    /** The symbol whose value it stands for; empty: the whole text. */
    readonly of: string
  }[]
}
