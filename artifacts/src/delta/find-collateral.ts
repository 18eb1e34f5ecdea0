/**
 * Whether a change did what it says and nothing else: the text behind it was parsed by itself, and everything outside of the change has
 * to be there as it was.
 *
 * E1 every token and comment outside of the splices is one afterwards, at its place.
 * E2 every symbol outside of them is one afterwards, with its kind, its name and its place among the others.
 * So a fragment that closes what it did not open, opens what it does not close, or swallows what follows it is refused, in any format.
 */
import { createMover, listPutSpans } from '../text/moved-span.ts'
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

/** Paths of symbols that the change is about: their names, kinds and spans are for its planner to check. */
export type Meant = { readonly before: readonly string[]; readonly after: readonly string[] }

export function findCollateral(
  before: ParsedText,
  splices: readonly Splice[],
  after: ParsedText,
  meant: Meant,
): Collateral | null {
  const move = createMover(splices)
  const put = listPutSpans(splices)
  return (
    compareTiles(before, after, splices, put, move) ??
    compareSymbols(before, after, splices, put, move, meant)
  )
}

type Move = (span: Span) => Span | null

function compareTiles(
  before: ParsedText,
  after: ParsedText,
  splices: readonly Splice[],
  put: readonly Span[],
  move: Move,
): Collateral | null {
  const kept = before.tiles.filter((tile) => tile.kind !== 'space' && !isWithin(tile, splices))
  const found = after.tiles.filter((tile) => tile.kind !== 'space' && !isWithin(tile, put))
  for (const [i, tile] of kept.entries()) {
    const moved = move(tile)
    if (moved === null || !isSameTile({ ...tile, ...moved }, found[i]))
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

function isSameTile(one: Tile, other: Tile | undefined): boolean {
  return (
    other !== undefined &&
    one.kind === other.kind &&
    one.start === other.start &&
    one.end === other.end
  )
}

function compareSymbols(
  before: ParsedText,
  after: ParsedText,
  splices: readonly Splice[],
  put: readonly Span[],
  move: Move,
  meant: Meant,
): Collateral | null {
  const kept = listSymbols(before.symbols).filter(
    (symbol) => !isWithin(symbol.own, splices) && !meant.before.includes(symbol.path),
  )
  const found = listSymbols(after.symbols).filter(
    (symbol) => !isWithin(symbol.own, put) && !meant.after.includes(symbol.path),
  )
  for (const [i, symbol] of kept.entries()) {
    const moved = move(symbol.own)
    const same = found[i]
    if (moved === null || same === undefined || !isSameSymbol(symbol, moved, same))
      return { detail: `\`${symbol.path}\` would not be what it was`, at: symbol.own }
  }
  const [more] = found.slice(kept.length)
  return more === undefined
    ? null
    : { detail: `\`${more.path}\` would be there without having been asked for`, at: null }
}

function isSameSymbol(symbol: SymbolNode, moved: Span, other: SymbolNode): boolean {
  return (
    symbol.kind === other.kind &&
    symbol.name === other.name &&
    moved.start === other.own.start &&
    moved.end === other.own.end
  )
}

/** A symbol before what is in it. */
function listSymbols(symbols: readonly SymbolNode[]): readonly SymbolNode[] {
  return symbols.flatMap((symbol) => [symbol, ...listSymbols(symbol.children)])
}

function isWithin(span: Span, spans: readonly Span[]): boolean {
  return spans.some((one) => isInside(span, one) && span.start < span.end)
}
