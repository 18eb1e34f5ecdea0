/** What all parts of one merge share. */
import type { SymbolNode } from '../tree/symbol-node.ts'
import type { Holder } from './holder.ts'
import type { SideChange } from './list-changes.ts'
import type { ChangingSide, MarkerStyle, MergeConflict, MergeLines, SideName } from './merge.ts'

/** One container in all three texts. */
export type Holders = Readonly<Record<SideName, Holder>>

/** One symbol in all three texts. */
export type Versions = Readonly<Record<SideName, SymbolNode>>

export const SIDES: readonly SideName[] = ['base', 'ours', 'theirs']

export type MergeContext = {
  readonly mergeLines: MergeLines
  readonly markers: MarkerStyle
  readonly changes: Readonly<Record<ChangingSide, readonly SideChange[]>>
  /** Symbols that are put between conflict markers, by their path in that side, and why. */
  readonly forced: Readonly<Record<ChangingSide, ReadonlyMap<string, string>>>
  /** False: a container whose members do not go together is a conflict, even where its lines would merge. */
  readonly trustsLines: boolean
  readonly conflicts: MergeConflict[]
}

/** Why a symbol, or something in it, is put between conflict markers. */
export function findForced(
  { forced }: MergeContext,
  { ours, theirs }: Versions,
): { readonly reason: string; readonly isWithin: boolean } | null {
  for (const [paths, { path }] of [
    [forced.ours, ours],
    [forced.theirs, theirs],
  ] as const) {
    const reason = paths.get(path)
    if (reason !== undefined) return { reason, isWithin: false }
    for (const [inner, why] of paths)
      if (inner.startsWith(`${path}/`)) return { reason: why, isWithin: true }
  }
  return null
}
