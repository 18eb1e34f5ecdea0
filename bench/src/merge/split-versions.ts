/**
 * Published versions: what a version changed, symbol by symbol, is dealt out to two sides; the merge has to be the version, byte for
 * byte, or a conflict. What is put in at one place goes to one side: nobody could know the order of two that do not know each other.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  applySplices,
  createGitMergeLines,
  findFormat,
  listEdits,
  mergeTexts,
  type Splice,
  type SymbolEdit,
  sortSplices,
  toRootHolder,
} from 'rubicon-artifacts'
import type { Rng } from '../../../sim/src/rng.ts'
import { type CorpusFile, readSource } from './corpus.ts'

export type SplitFigures = {
  /** Files whose changes could be dealt out. */
  splits: number
  merged: number
  conflicts: number
  /** Merged, and not what was published. */
  wrong: number
  git_merged: number
  git_conflicts: number
  git_wrong: number
  /** Of our conflicts: sides that take away what the other begins to use. */
  semantic: number
  /** One edit only, or a side that does not parse by itself. */
  not_split: number
  first_wrong: string | null
}

export function createSplitFigures(): SplitFigures {
  const ours = { splits: 0, merged: 0, conflicts: 0, wrong: 0 }
  const git = { git_merged: 0, git_conflicts: 0, git_wrong: 0 }
  return { ...ours, ...git, semantic: 0, not_split: 0, first_wrong: null }
}

/** `rounds`: how often each file is dealt out. */
export function trySplits(
  base: CorpusFile,
  folder: string,
  rounds: number,
  rng: Rng,
  figures: SplitFigures,
): void {
  const path = join(folder, base.name)
  const target = existsSync(path) ? readSource(path) : null
  if (target === null || target === base.text) return
  const edits = readEdits(base.text, target, base.name)
  if (edits === null || edits.length < 2) {
    figures.not_split += 1
    return
  }
  for (let round = 0; round < rounds; round += 1) trySplit(base, target, edits, rng, figures)
}

/** Null: one does not parse, or the edits together are not the target. */
function readEdits(base: string, target: string, name: string): readonly SymbolEdit[] | null {
  const format = findFormat(name)
  const [one, other] = [format?.parse(base), format?.parse(target)]
  if (!one?.ok || !other?.ok) return null
  const edits = listEdits(toRootHolder('base', one.value), toRootHolder('ours', other.value))
  return edits !== null && applyEdits(base, edits) === target ? edits : null
}

function applyEdits(base: string, edits: readonly SymbolEdit[]): string | null {
  return applySplices(base, sortSplices(edits.flatMap(({ splices }): readonly Splice[] => splices)))
}

function trySplit(
  { name, text: base, format }: CorpusFile,
  target: string,
  edits: readonly SymbolEdit[],
  rng: Rng,
  figures: SplitFigures,
): void {
  const isOurs = edits.map(() => rng.drawChance(0.5))
  // Each side has something to do.
  isOurs[rng.drawBelow(edits.length)] = true
  const ours = applyEdits(
    base,
    edits.filter((_, at) => isOurs[at]),
  )
  const theirs = applyEdits(
    base,
    edits.filter((_, at) => !isOurs[at]),
  )
  const isWhole = (text: string | null): text is string => text !== null && format.parse(text).ok
  if (!isWhole(ours) || !isWhole(theirs) || theirs === base) {
    figures.not_split += 1
    return
  }
  figures.splits += 1
  const mergeLines = createGitMergeLines()
  const git = mergeLines({ base, ours, theirs })
  if (!git.isClean) figures.git_conflicts += 1
  else if (git.text === target) figures.git_merged += 1
  else figures.git_wrong += 1
  const result = mergeTexts({ base, ours, theirs }, format, { mergeLines })
  if (result.conflicts.length > 0) {
    figures.conflicts += 1
    if (result.conflicts.some(({ kind }) => kind !== 'overlap' && kind !== 'text'))
      figures.semantic += 1
  } else if (result.text === target) figures.merged += 1
  else {
    figures.wrong += 1
    figures.first_wrong ??= name
  }
}
