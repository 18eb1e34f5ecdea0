/** Why claims cannot be composed, and what would repair it. */
import type { SymbolPath } from './claim.ts'

export type ProblemKind =
  | 'OVERLAPPING_WRITES'
  | 'NAME_CLAIMED_TWICE'
  | 'NOT_COMMUTATIVE'
  | 'READS_WHAT_CHANGES'
  | 'ORDER_MISSING'
  | 'ORDER_TWICE'
  | 'ORDER_NOT_ALLOWED'
  | 'ORDERED_AND_UNORDERED'
  | 'TOO_MUCH_CLAIMED'

/** One of the claims that a problem is between. */
export type InvolvedClaim = {
  readonly key: string
  readonly claim: 'write' | 'insert' | 'read' | 'redefine' | 'order'
  readonly path: SymbolPath
}

/** What can be done about it, in the words of claims; any one of those that are listed is enough. */
export type CompositionFix =
  /** The member gets another name, which nobody claims. */
  | {
      readonly kind: 'rename'
      readonly key: string
      readonly path: SymbolPath
      readonly to: string
    }
  /** `next` is proposed anew on what `first` comes to. */
  | { readonly kind: 'put_first'; readonly first: string; readonly next: string }
  | { readonly kind: 'set_order'; readonly key: string; readonly order: number }
  | { readonly kind: 'drop_order'; readonly key: string }
  /** One author does what both wanted. */
  | { readonly kind: 'merge_authors'; readonly keys: readonly string[] }
  /** It is proposed in several parts. */
  | { readonly kind: 'split'; readonly key: string }

export type CompositionProblem = {
  readonly kind: ProblemKind
  /** The keys of those that it is between, in their order. */
  readonly between: readonly string[]
  readonly artifact: string
  readonly path: SymbolPath
  readonly claims: readonly InvolvedClaim[]
  readonly fixes: readonly CompositionFix[]
}
