/** Two agents add a member to one container at one place: how often both are there afterwards, and how often a merge of lines conflicts. */
import {
  applySplices,
  createGitMergeLines,
  mergeTexts,
  type ParsedText,
  planDelta,
  type SymbolNode,
} from 'rubicon-artifacts'
import type { CorpusFile } from './corpus.ts'

export type AdditionFigures = {
  containers: number
  merged: number
  conflicts: number
  /** Of what was merged: it does not parse, or does not hold exactly both. */
  wrong: number
  git_merged: number
  git_conflicts: number
  /** The edit itself is refused there. */
  not_applied: number
  first_unmerged: string | null
}

const FRAGMENTS = {
  class: ['agentAdded() {\n  return 1\n}', 'robotAdded() {\n  return 2\n}'],
  module: ['function agentAdded() {\n  return 1\n}', 'function robotAdded() {\n  return 2\n}'],
} as const

const DECLARED = {
  class: ['agentAdded(): number', 'robotAdded(): number'],
  module: ['declare function agentAdded(): number', 'declare function robotAdded(): number'],
} as const

export function createAdditionFigures(): AdditionFigures {
  const counts = { containers: 0, merged: 0, conflicts: 0, wrong: 0, git_merged: 0 }
  return { ...counts, git_conflicts: 0, not_applied: 0, first_unmerged: null }
}

export type AdditionPlace = 'class' | 'module'

/** Of every class of a file, or of the file. */
export function tryAdditions(
  file: CorpusFile,
  place: AdditionPlace,
  figures: AdditionFigures,
): void {
  const parsed = file.format.parse(file.text)
  if (!parsed.ok || file.format.type !== 'code') return
  const targets = place === 'module' ? [''] : listClasses(parsed.value.symbols)
  for (const target of targets) tryAddition(file, parsed.value, place, target, figures)
}

function listClasses(symbols: readonly SymbolNode[]): readonly string[] {
  return symbols.flatMap(({ kind, path, children }) => [
    ...(kind === 'class' ? [path] : []),
    ...listClasses(children),
  ])
}

function tryAddition(
  { name, text: base, format }: CorpusFile,
  parsed: ParsedText,
  place: AdditionPlace,
  target: string,
  figures: AdditionFigures,
): void {
  const fragments = (/\.d\.[cm]?ts$/u.test(name) ? DECLARED : FRAGMENTS)[place]
  const [ours, theirs] = fragments.map((fragment) => {
    const plan = planDelta(parsed, { op: 'addMember', target, fragment }, format)
    return plan.ok ? applySplices(base, plan.value.splices) : null
  })
  if (ours == null || theirs == null) {
    figures.not_applied += 1
    return
  }
  figures.containers += 1
  const mergeLines = createGitMergeLines()
  if (mergeLines({ base, ours, theirs }).isClean) figures.git_merged += 1
  else figures.git_conflicts += 1
  const result = mergeTexts({ base, ours, theirs }, format, { mergeLines })
  if (result.conflicts.length > 0) {
    figures.conflicts += 1
    figures.first_unmerged ??= `${name} ${target}: ${result.fallback ?? result.conflicts[0]?.reason}`
    return
  }
  figures.merged += 1
  const after = format.parse(result.text)
  const length = ours.length + theirs.length - base.length
  const isRight =
    after.ok &&
    hasBoth(parsed, after.value, target) &&
    // A separator, or a line break, that one of them needs more or less.
    Math.abs(result.text.length - length) <= 2
  if (isRight) return
  figures.wrong += 1
  figures.first_unmerged ??= `${name} ${target}: wrong`
}

function hasBoth(before: ParsedText, after: ParsedText, target: string): boolean {
  const [old, now] = [listNames(before, target), listNames(after, target)]
  const added = now.filter((name) => name === 'agentAdded' || name === 'robotAdded')
  return (
    added.length === 2 && now.length === old.length + 2 && old.every((one) => now.includes(one))
  )
}

function listNames({ symbols }: ParsedText, target: string): readonly string[] {
  if (target === '') return symbols.map(({ name }) => name)
  const find = (all: readonly SymbolNode[]): SymbolNode | undefined => {
    for (const symbol of all) {
      const found = symbol.path === target ? symbol : find(symbol.children)
      if (found !== undefined) return found
    }
    return undefined
  }
  return find(symbols)?.children.map(({ name }) => name) ?? []
}
