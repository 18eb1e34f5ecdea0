/** A container of one side, with its members; cut into units that a merge moves as a whole. */
import { isInside, type Span, sliceSpan } from '../text/span.ts'
import { findTileAt, listTilesIn } from '../tree/find-tiles.ts'
import type { ParsedText } from '../tree/parsed.ts'
import type { Container, SymbolNode } from '../tree/symbol-node.ts'
import type { SideName } from './merge.ts'

export type Holder = {
  readonly side: SideName
  readonly parsed: ParsedText
  readonly container: Container
  readonly members: readonly SymbolNode[]
  /** Empty: the artifact itself. */
  readonly path: string
  readonly kind: string
}

/** A member, or a line of what lies between two of them: blank lines, comments that belong to nobody. */
export type Unit =
  | { readonly kind: 'member'; readonly index: number }
  | { readonly kind: 'gap'; readonly span: Span }

export function toRootHolder(side: SideName, parsed: ParsedText): Holder {
  const { container, symbols } = parsed
  return { side, parsed, container, members: dropOwned(symbols), path: '', kind: '' }
}

/** Null: it holds nothing. */
export function toHolder({ side, parsed }: Holder, symbol: SymbolNode): Holder | null {
  const { container, children, path, kind } = symbol
  if (container === null) return null
  return { side, parsed, container, members: dropOwned(children), path, kind }
}

/** An empty statement behind a function goes with the function, whose semicolon it is. */
function dropOwned(members: readonly SymbolNode[]): readonly SymbolNode[] {
  return members.filter(({ whole }, at) => {
    const before = members[at - 1]
    return before === undefined || !isInside(whole, before.whole)
  })
}

/** Null: members lie within each other's lines, so that they cannot be moved by themselves. */
export function cutUnits({ parsed, container, members }: Holder): readonly Unit[] | null {
  const units: Unit[] = []
  let at = container.inside.start
  for (const [index, { whole }] of members.entries()) {
    if (whole.start < at || whole.end > container.inside.end) return null
    pushLines(parsed, { start: at, end: whole.start }, units)
    units.push({ kind: 'member', index })
    at = whole.end
  }
  pushLines(parsed, { start: at, end: container.inside.end }, units)
  return units
}

/** Ends at breaks in white space: a comment over several lines is one thing. */
function pushLines(parsed: ParsedText, { start, end }: Span, units: Unit[]): void {
  let from = start
  const push = (to: number): void => {
    if (to > from) units.push({ kind: 'gap', span: { start: from, end: to } })
    from = to
  }
  // White space may have begun within the member before.
  const first = Math.max(0, findTileAt(parsed.tiles, start) - 1)
  for (const tile of parsed.tiles.slice(first, findTileAt(parsed.tiles, end))) {
    if (tile.kind !== 'space') continue
    for (let at = Math.max(tile.start, start); at < Math.min(tile.end, end); at += 1)
      if (parsed.text[at] === '\n') push(at + 1)
  }
  push(end)
}

/** Where the separator of a member is; null: it has none. Only commas: what a semicolon ends, a line break ends too. */
export function findSeparator({ parsed, container }: Holder, member: SymbolNode): Span | null {
  if (container.separator !== ',') return null
  const { own, whole } = member
  for (const tile of listTilesIn(parsed, { start: own.end, end: whole.end }))
    if (tile.kind === 'mark' && parsed.text[tile.start] === ',') return tile
  return null
}

/** What a member is, whatever its separator: two that are alike differ in nothing else. */
export function readCore(holder: Holder, member: SymbolNode): string {
  const { text } = holder.parsed
  const separator = findSeparator(holder, member)
  if (separator === null) return sliceSpan(text, member.whole)
  return (
    text.slice(member.whole.start, separator.start) + text.slice(separator.end, member.whole.end)
  )
}
