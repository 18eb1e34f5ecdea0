/** What a side changed, symbol by symbol. */
import type { Span } from '../text/span.ts'
import { listTilesIn } from '../tree/find-tiles.ts'
import type { SymbolNode } from '../tree/symbol-node.ts'
import { type Holder, readCore, toHolder } from './holder.ts'
import { matchMembers } from './match-members.ts'

/** A symbol with the container that it is in. */
export type PlacedSymbol = { readonly holder: Holder; readonly node: SymbolNode }

export type SideChange = {
  readonly kind: 'added' | 'removed' | 'changed'
  /** Null: it is new. */
  readonly before: PlacedSymbol | null
  /** Null: it is gone. */
  readonly after: PlacedSymbol | null
  /** Path of what it was, or of what it is where it is new. */
  readonly path: string
  /** Words that it did not use so often before. */
  readonly newWords: ReadonlySet<string>
}

/** Of a container that was changed: itself without its members, then its members. */
export function listChanges(base: Holder, side: Holder): readonly SideChange[] {
  const match = matchMembers(base, side)
  const taken = new Set(match.values())
  const changes: SideChange[] = []
  for (const [index, node] of base.members.entries()) {
    const before = { holder: base, node }
    const at = match.get(index)
    const now = at === undefined ? undefined : side.members[at]
    if (now === undefined) changes.push(createChange('removed', before, null))
    else if (readCore(base, node) !== readCore(side, now))
      changes.push(...listWithin(before, { holder: side, node: now }))
  }
  for (const [index, node] of side.members.entries())
    if (!taken.has(index)) changes.push(createChange('added', null, { holder: side, node }))
  return changes
}

function listWithin(before: PlacedSymbol, after: PlacedSymbol): readonly SideChange[] {
  const own = createChange('changed', before, after)
  const [one, other] = [toHolder(before.holder, before.node), toHolder(after.holder, after.node)]
  return one === null || other === null ? [own] : [own, ...listChanges(one, other)]
}

function createChange(
  kind: SideChange['kind'],
  before: PlacedSymbol | null,
  after: PlacedSymbol | null,
): SideChange {
  const isShell = before?.node.container != null && after?.node.container != null
  const [old, now] = [countWords(before, isShell), countWords(after, isShell)]
  const newWords = new Set<string>()
  for (const [word, count] of now) if (count > (old.get(word) ?? 0)) newWords.add(word)
  return { kind, before, after, path: (before ?? after)?.node.path ?? '', newWords }
}

/** `isShell`: without its members, which are changes of their own. */
function countWords(placed: PlacedSymbol | null, isShell: boolean): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  if (placed === null) return counts
  const { holder, node } = placed
  for (const span of listShell(node, isShell))
    for (const tile of listTilesIn(holder.parsed, span)) {
      if (tile.kind !== 'word') continue
      const word = toWord(holder.parsed.text.slice(tile.start, tile.end))
      counts.set(word, (counts.get(word) ?? 0) + 1)
    }
  return counts
}

export function listShell({ own, container }: SymbolNode, isShell: boolean): readonly Span[] {
  if (!isShell || container === null) return [own]
  const { inside } = container
  return [
    { start: own.start, end: inside.start },
    { start: inside.end, end: own.end },
  ]
}

/** A decorator names what it calls. */
function toWord(text: string): string {
  return text.startsWith('@') ? text.slice(1) : text
}
