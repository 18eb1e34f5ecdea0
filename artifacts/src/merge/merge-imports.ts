/** Imports of one module as a set: what both sides add is in it, what one takes out is not, unless the other begins to use it. */
import { detectIndentUnit, detectLineBreak } from '../text/lines.ts'
import { isDeclaredAnew, isNewlyUsed } from './find-use-conflicts.ts'
import { readCore } from './holder.ts'
import type { PlacedSymbol, SideChange } from './list-changes.ts'
import type { ChangingSide } from './merge.ts'
import type { Holders, MergeContext, Versions } from './merge-context.ts'
import { type Piece, toPiece } from './piece.ts'
import { type ImportName, type ReadImport, readImport } from './read-import.ts'

type ImportSides = {
  /** Null: both sides add it. */
  readonly base: PlacedSymbol | null
  readonly ours: PlacedSymbol
  readonly theirs: PlacedSymbol
}

/** What both add: the same symbol, or an import of one module. */
export function mergeAdded(
  context: MergeContext,
  ours: PlacedSymbol,
  theirs: PlacedSymbol,
): Piece | null {
  const [mine, yours] = [ours, theirs].map(({ holder, node }) => readCore(holder, node))
  if (mine === yours) return toPiece(ours.holder, ours.node)
  if (ours.node.kind !== 'import') return null
  const text = mergeNames(context, { base: null, ours, theirs })
  return text === null ? null : replaceOwn(ours, text)
}

/** An import that all three have; null: it is none, or is for the merge of lines. */
export function mergeKnownImport(
  context: MergeContext,
  holders: Holders,
  versions: Versions,
): Piece | null {
  if (versions.base.kind !== 'import') return null
  const base = { holder: holders.base, node: versions.base }
  const ours = { holder: holders.ours, node: versions.ours }
  const theirs = { holder: holders.theirs, node: versions.theirs }
  const text = mergeNames(context, { base, ours, theirs })
  return text === null ? null : replaceOwn(base, text)
}

/** An import that one side alone changed, and out of which it took a name that the other begins to use. Null: it did not. */
export function keepMissedNames(
  context: MergeContext,
  holders: Holders,
  versions: Versions,
): Piece | null {
  if (versions.base.kind !== 'import') return null
  const [base, ours, theirs] = [
    readImport({ holder: holders.base, node: versions.base }),
    readImport({ holder: holders.ours, node: versions.ours }),
    readImport({ holder: holders.theirs, node: versions.theirs }),
  ]
  if (base === null || ours === null || theirs === null) return null
  const { changes } = context
  const isLost = (side: ReadImport, mine: ChangingSide, other: ChangingSide): boolean =>
    base.names.some(
      (name) => !hasName(side, name) && isMissed(changes[mine], changes[other], [name.local]),
    )
  return isLost(ours, 'ours', 'theirs') || isLost(theirs, 'theirs', 'ours')
    ? mergeKnownImport(context, holders, versions)
    : null
}

function replaceOwn({ holder, node: { own, whole } }: PlacedSymbol, text: string): Piece {
  const from = holder.side
  return {
    before: [
      { from, start: whole.start, end: own.start },
      { from: 'made', text },
    ],
    separator: null,
    after: [{ from, start: own.end, end: whole.end }],
    isConflict: false,
  }
}

/** The text of the import; null: it is for the merge of lines. */
function mergeNames({ changes }: MergeContext, sides: ImportSides): string | null {
  const [ours, theirs] = [readImport(sides.ours), readImport(sides.theirs)]
  const base = sides.base === null ? null : readImport(sides.base)
  if (ours === null || theirs === null || (sides.base !== null && base === null)) return null
  const like = base ?? ours
  const isAlike = [ours, theirs].every(({ head, tail }) => head === like.head && tail === like.tail)
  if (!isAlike) return null
  const kept = (base?.names ?? []).filter(
    (name) =>
      (hasName(ours, name) || isMissed(changes.ours, changes.theirs, [name.local])) &&
      (hasName(theirs, name) || isMissed(changes.theirs, changes.ours, [name.local])),
  )
  const added = [...ours.names, ...theirs.names].filter(
    (name, at, all) =>
      (base === null || !hasName(base, name)) &&
      all.findIndex(({ text }) => text === name.text) === at,
  )
  const names = [...kept, ...added]
  if (names.length === 0 || new Set(names.map(({ local }) => local)).size < names.length)
    return null
  return writeImport(like, orderNames(kept, added), [ours, theirs], sides.ours)
}

/** Whether names that one side takes out are used by the other from now on, and come from nowhere else. */
export function isMissed(
  removing: readonly SideChange[],
  using: readonly SideChange[],
  names: readonly string[],
): boolean {
  return isNewlyUsed(
    using,
    names.filter((name) => !isDeclaredAnew(removing, name)),
  )
}

function hasName({ names }: ReadImport, { text }: ImportName): boolean {
  return names.some((name) => name.text === text)
}

/** Among those that are there, where these are in order; else behind them, in order among themselves. */
function orderNames(kept: readonly ImportName[], added: readonly ImportName[]): readonly string[] {
  const texts = kept.map(({ text }) => text)
  const more = added.map(({ text }) => text).sort(compareCodes)
  for (const compare of [compareCodes, compareLetters])
    if (texts.every((text, i) => i === 0 || compare(texts[i - 1] ?? '', text) <= 0))
      return [...texts, ...more].sort(compare)
  return [...texts, ...more]
}

function compareCodes(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

function compareLetters(one: string, other: string): number {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()]
  return compareCodes(a, b) || compareCodes(one, other)
}

/** On lines, if one of the sides has it so; with a comma behind the last, if one of them has. */
function writeImport(
  { head, tail }: ReadImport,
  names: readonly string[],
  sides: readonly ReadImport[],
  { holder }: PlacedSymbol,
): string {
  const { text } = holder.parsed
  const hasComma = sides.some(({ hasTrailingComma }) => hasTrailingComma)
  if (!sides.some(({ isOnLines }) => isOnLines))
    return `${head}{ ${names.join(', ')}${hasComma ? ',' : ''} }${tail}`
  const [lineBreak, indent] = [detectLineBreak(text), detectIndentUnit(text)]
  const lines = names.map((name, at) => {
    const comma = at < names.length - 1 || hasComma ? ',' : ''
    return `${indent}${name}${comma}${lineBreak}`
  })
  return `${head}{${lineBreak}${lines.join('')}}${tail}`
}
