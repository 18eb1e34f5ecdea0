/** What a three-way merge is given, and what it comes to. */
import type { Span } from '../text/span.ts'

export type SideName = 'base' | 'ours' | 'theirs'

/** The two that changed the base. */
export type ChangingSide = Exclude<SideName, 'base'>

export type MergeInput = Readonly<Record<SideName, string>>

/** Git's own merge of lines. `isClean` is false where `text` holds conflict markers. */
export type MergedLines = { readonly isClean: boolean; readonly text: string }
export type MergeLines = (input: MergeInput) => MergedLines

/** How conflict markers are written. */
export type MarkerStyle = {
  readonly size: number
  readonly labels: Readonly<Record<ChangingSide, string>>
}

export const DEFAULT_MARKERS: MarkerStyle = {
  size: 7,
  labels: { ours: 'ours', theirs: 'theirs' },
}

export type MergeConflict = {
  readonly kind: 'overlap' | 'name' | 'rename' | 'signature' | 'removal' | 'enum' | 'text'
  /** The symbol; empty: the whole text. */
  readonly path: string
  readonly reason: string
}

export type MergeResult = {
  readonly text: string
  /** None: the text is the merge. Else it holds conflict markers. */
  readonly conflicts: readonly MergeConflict[]
  /** `symbols`: merged by structure; `lines`: git's own merge of the whole text. */
  readonly by: 'symbols' | 'lines'
  /** Why the whole text went to git's own merge. */
  readonly fallback: string | null
}

/** A part of the result, and where it comes from. `made`: written by the merge, such as a separator. */
export type Segment =
  | (Span & { readonly from: SideName })
  | { readonly from: 'made'; readonly text: string }
