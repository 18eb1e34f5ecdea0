/** Where something stands: in which artifact, in which symbol of it, and at which units. */
import type { Span } from '../text/span.ts'

export type SymbolPlace = {
  readonly artifact: string
  /** Of the innermost symbol; empty: the artifact. */
  readonly path: string
  readonly at: Span
}
