/** What several authors want of one text, and what it comes to. */
import type { ClaimSet, CompositionProblem, ReadClaim, Result, Sha256 } from 'rubicon-kernel'
import type { JudgeValue } from '../delta/check-schema.ts'
import type { Delta } from '../delta/delta.ts'
import type { FindSecret } from '../delta/find-secret.ts'
import type { DeltaProblem, Plan } from '../delta/plan.ts'

/** Deltas of one author, one after the other. Their paths are those of the base, whatever others do. */
export type BatchEntry = {
  /** By which entries are put in order: the same for everybody, whoever came first. */
  readonly key: string
  readonly deltas: readonly Delta[]
  /** Its place in a sequence, where the strategy asks for one. */
  readonly order?: number
  /** What the author relied on, as it was then. */
  readonly reads?: readonly ReadClaim[]
}

export type ComposeOptions = {
  readonly artifact: string
  readonly sha256: Sha256
  readonly findSecret?: FindSecret
  /** Of an artifact with a schema, what its value has to be: behind each entry by itself, and behind all of them. */
  readonly judge?: JudgeValue
}

/** What one entry comes to, on the text that those before it left. */
export type ComposedEntry = Plan & {
  readonly key: string
  readonly claims: ClaimSet
}

/** Its splices and its inverse are of the base and the last text. */
export type ComposedPlan = Plan & { readonly entries: readonly ComposedEntry[] }

export type BatchProblem = DeltaProblem & {
  /** Of the entry that it is about. */
  readonly key?: string
  /** What claims are in each other's way. */
  readonly problems?: readonly CompositionProblem[]
}

export type ComposeResult = Result<ComposedPlan, BatchProblem>
