/** What the fold keeps of an intent until its effect is settled. */
import type { Address, EffectClass, ExecutionStatus, SignedIntent } from 'rubicon-kernel'

export type FoldedIntent = {
  readonly dfid: string
  readonly step: string
  readonly writ: Address
  readonly cost: SignedIntent['cost']
  readonly agent: string
  readonly contract: string
  readonly staged_at: string
  readonly dispatch_before: string
  /** Taking back costs nothing and stands on a choice. */
  readonly undoes: boolean
  /** Null: nobody knows the capability. */
  readonly effect: EffectClass | null
  status: ExecutionStatus
  /** What was found out last about its effect, and by whom; null: nothing since it was sent. */
  found: { readonly source: string; readonly finding: string } | null
}

/** An effect that is settled is only remembered as such. */
export type Folded = FoldedIntent | 'settled'
