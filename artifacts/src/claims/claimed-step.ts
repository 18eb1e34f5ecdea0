/** A change that is claimed for, as it is on one text. */
import type { Delta } from '../delta/delta.ts'
import type { Plan } from '../delta/plan.ts'
import type { ParsedText } from '../tree/parsed.ts'

export type ClaimedStep = Plan & {
  readonly before: ParsedText
  /** Null: it comes of no delta of this artifact, as an undo, a merge, or what a rename elsewhere brings. */
  readonly delta: Delta | null
}
