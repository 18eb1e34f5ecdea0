/**
 * The difference between two texts by what they hold: symbols that were added, removed, changed, moved or renamed. White space is none.
 */
import type { Span } from '../text/span.ts'
import type { ParsedText } from '../tree/parsed.ts'
import type { SymbolNode } from '../tree/symbol-node.ts'
import {
  hasSameTokens,
  isNamedAlike,
  matchSymbols,
  type Readers,
  type SymbolPair,
} from './match-symbols.ts'
import { TokenReader } from './token-reader.ts'

export type SymbolPart = 'signature' | 'body' | 'comments'

export type SymbolChange = {
  readonly change: 'added' | 'removed' | 'changed' | 'moved' | 'renamed'
  readonly kind: string
  /** Behind the change; of what was removed, before it. */
  readonly path: string
  /** Where it was; null: as `path` says, or nowhere. */
  readonly was: string | null
  /** Of what was changed. */
  readonly parts: readonly SymbolPart[]
  /** In the text behind; of what was removed, in the text before. */
  readonly at: Span
}

type Found = {
  readonly changes: SymbolChange[]
  readonly removed: SymbolNode[]
  readonly added: SymbolNode[]
}

export function compareSymbols(before: ParsedText, after: ParsedText): readonly SymbolChange[] {
  const readers = { before: new TokenReader(before), after: new TokenReader(after) }
  const found: Found = { changes: [], removed: [], added: [] }
  compareMembers(before.symbols, after.symbols, readers, found)
  const moved = matchMoved(found, readers)
  for (const pair of moved) found.changes.push(createChange('moved', pair.after, pair.before.path))
  const isMoved = (symbol: SymbolNode): boolean =>
    moved.some((pair) => pair.before === symbol || pair.after === symbol)
  for (const symbol of found.added)
    if (!isMoved(symbol)) found.changes.push(createChange('added', symbol))
  for (const symbol of found.removed)
    if (!isMoved(symbol)) found.changes.push(createChange('removed', symbol))
  return found.changes.toSorted(compareChanges)
}

function compareMembers(
  before: readonly SymbolNode[],
  after: readonly SymbolNode[],
  readers: Readers,
  found: Found,
): void {
  const { pairs, removed, added } = matchSymbols(before, after, readers)
  found.removed.push(...removed)
  found.added.push(...added)
  const places = pairs.map((pair) => before.indexOf(pair.before))
  const inOrder = listLongestRise(places)
  for (const [index, pair] of pairs.entries()) {
    const isRenamed = !isNamedAlike(pair.before, pair.after)
    if (isRenamed) found.changes.push(createChange('renamed', pair.after, pair.before.path))
    else if (!inOrder.has(index) && pair.after.kind !== 'item')
      found.changes.push(createChange('moved', pair.after, pair.before.path))
    comparePair(pair, isRenamed, readers, found)
  }
}

function comparePair(pair: SymbolPair, isRenamed: boolean, readers: Readers, found: Found): void {
  const { before, after } = pair
  const parts: SymbolPart[] = []
  if (!isRenamed && !hasSameTokens(before, after, readers)) {
    if (isPartChanged(pair, readers, 'signature')) parts.push('signature')
    if (isPartChanged(pair, readers, 'body')) parts.push('body')
  }
  if (hasOtherComments(pair, readers)) parts.push('comments')
  if (parts.length > 0) found.changes.push(createChange('changed', after, null, parts))
  if (!hasSameTokens(before, after, readers))
    compareMembers(before.children, after.children, readers, found)
}

/** Without its members, which are compared by themselves. */
function isPartChanged(
  { before, after }: SymbolPair,
  readers: Readers,
  part: 'signature' | 'body',
): boolean {
  const [from, to] = (
    [
      [before, readers.before],
      [after, readers.after],
    ] as const
  ).map(([{ own, body, children }, reader]) => {
    const members = children.map(({ whole }) => whole)
    if (part === 'body') return body === null ? [] : reader.listTokens(body, members)
    return reader.listTokens(own, body === null ? members : [...members, body])
  })
  // What stands between members goes with them.
  const joinKept = (tokens: readonly string[] = []): string =>
    tokens.filter((token) => token !== ',' && token !== ';').join('\n')
  const isHolder = before.children.length + after.children.length > 0
  return isHolder ? joinKept(from) !== joinKept(to) : from?.join('\n') !== to?.join('\n')
}

function hasOtherComments({ before, after }: SymbolPair, readers: Readers): boolean {
  const list = ({ whole, children }: SymbolNode, reader: TokenReader): string =>
    reader
      .listComments(
        whole,
        children.map((child) => child.whole),
      )
      .join('\n')
  return list(before, readers.before) !== list(after, readers.after)
}

/** What is gone from one container and there in another, with all that it holds. */
function matchMoved({ removed, added }: Found, readers: Readers): readonly SymbolPair[] {
  const left = new Set(removed)
  return added.flatMap((after) => {
    const before = [...left].find(
      (one) => isNamedAlike(one, after) && hasSameTokens(one, after, readers),
    )
    if (before === undefined) return []
    left.delete(before)
    return [{ before, after }]
  })
}

function createChange(
  change: SymbolChange['change'],
  { kind, path, own }: SymbolNode,
  was: string | null = null,
  parts: readonly SymbolPart[] = [],
): SymbolChange {
  return { change, kind, path, was: was === path ? null : was, parts, at: own }
}

function compareChanges(one: SymbolChange, other: SymbolChange): number {
  return one.at.start - other.at.start || (one.path < other.path ? -1 : 1)
}

/** The indexes of as many numbers as possible that rise: all others are out of their order. */
function listLongestRise(numbers: readonly number[]): ReadonlySet<number> {
  const ends: number[] = []
  const previous: number[] = []
  for (const [index, number] of numbers.entries()) {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((numbers[ends[middle] ?? 0] ?? 0) < number) low = middle + 1
      else high = middle
    }
    previous[index] = low === 0 ? -1 : (ends[low - 1] ?? -1)
    ends[low] = index
  }
  const rise = new Set<number>()
  for (let at = ends.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1) rise.add(at)
  return rise
}
