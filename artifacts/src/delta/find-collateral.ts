/**
 * Whether a change did what it says and nothing else: the text behind it was parsed by itself, and everything outside of the change has
 * to be there as it was.
 *
 * E1 every token and comment outside of the splices is one afterwards, at its place.
 * E2 every symbol outside of them is one afterwards, with its kind, its name and its place among the others.
 * So a fragment that closes what it did not open, opens what it does not close, or swallows what follows it is refused, in any format.
 */
import { listPutSpans, moveSpan } from '../text/moved-span.ts'
import { isInside, type Span } from '../text/span.ts'
import type { Splice } from '../text/splice.ts'
import type { ParsedText } from '../tree/parsed.ts'
import type { SymbolNode } from '../tree/symbol-node.ts'
import type { Tile } from '../tree/tile.ts'

export type Collateral = {
  readonly detail: string
  /** In the text before. */
  readonly at: Span | null
}

/** What the change is about. */
export type Meant = {
  /** The symbol that it lies in; null: the artifact. It and what holds it may end elsewhere behind the change. */
  readonly around: string | null
  /** Symbols whose names, kinds and spans are for the planner to check, by their paths before and behind the change. */
  readonly before?: readonly string[]
  readonly after?: readonly string[]
}

export function findCollateral(
  before: ParsedText,
  splices: readonly Splice[],
  after: ParsedText,
  meant: Meant,
): Collateral | null {
  const put = listPutSpans(splices)
  return findOtherTile(before, splices, after) ?? compareSymbols(before, after, splices, put, meant)
}

/** E1 alone. */
export function findOtherTile(
  before: ParsedText,
  splices: readonly Splice[],
  after: ParsedText,
): Collateral | null {
  const put = listPutSpans(splices)
  const kept = before.tiles.filter((tile) => tile.kind !== 'space' && !isWithin(tile, splices))
  const found = after.tiles.filter((tile) => tile.kind !== 'space' && !isWithin(tile, put))
  for (const [i, tile] of kept.entries()) {
    if (!isSameTile(tile, splices, found[i]))
      return {
        detail: 'the change reaches beyond its place: this is read otherwise behind it',
        at: tile,
      }
  }
  if (found.length > kept.length)
    return {
      detail: 'the change reaches beyond its place: what it put in is not read by itself',
      at: null,
    }
  return null
}

function isSameTile(tile: Tile, splices: readonly Splice[], other: Tile | undefined): boolean {
  const { start, end } = moveSpan(tile, splices)
  return tile.kind === other?.kind && start === other.start && end === other.end
}

function compareSymbols(
  before: ParsedText,
  after: ParsedText,
  splices: readonly Splice[],
  put: readonly Span[],
  meant: Meant,
): Collateral | null {
  const kept = listSymbols(before.symbols).filter(
    (symbol) => !isWithin(symbol.own, splices) && !meant.before?.includes(symbol.path),
  )
  const found = listSymbols(after.symbols).filter(
    (symbol) => !isWithin(symbol.own, put) && !meant.after?.includes(symbol.path),
  )
  for (const [i, symbol] of kept.entries()) {
    const isAround = isPathWithin(meant.around, symbol.path)
    if (!isSameSymbol(symbol, splices, found[i], isAround))
      return { detail: `\`${symbol.path}\` would not be what it was`, at: symbol.own }
  }
  const [more] = found.slice(kept.length)
  return more === undefined
    ? null
    : { detail: `\`${more.path}\` would be there without having been asked for`, at: null }
}

/** What the change lies in may end elsewhere: a block without brackets ends with its last member. An item is named by its place. */
function isSameSymbol(
  symbol: SymbolNode,
  splices: readonly Splice[],
  other: SymbolNode | undefined,
  isAround: boolean,
): boolean {
  if (other === undefined || symbol.kind !== other.kind) return false
  const { start, end } = moveSpan(symbol.own, splices)
  return (
    (symbol.name === other.name || symbol.kind === 'item') &&
    start === other.own.start &&
    (end === other.own.end || isAround)
  )
}

function isPathWithin(path: string | null, holder: string): boolean {
  return path !== null && (path === holder || path.startsWith(`${holder}/`))
}

/** A symbol before what is in it. */
export function listSymbols(symbols: readonly SymbolNode[]): readonly SymbolNode[] {
  return symbols.flatMap((symbol) => [symbol, ...listSymbols(symbol.children)])
}

function isWithin(span: Span, spans: readonly Span[]): boolean {
  return spans.some((one) => isInside(span, one) && span.start < span.end)
}
