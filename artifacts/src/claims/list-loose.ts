/**
 * What a comparison of symbols does not see: comments wherever they stand, white space in what has no members, and what belongs to no
 * symbol, as the first line of a program. Whoever changes it has written the symbol that it lies in.
 */
import { type Span, sliceSpan } from '../text/span.ts'
import type { ParsedText } from '../tree/parsed.ts'
import type { SymbolNode } from '../tree/symbol-node.ts'

/** Paths of symbols that both texts have, and that hold other text; the empty path is the artifact. What is new or gone is not among them. */
export function listLoose(before: ParsedText, after: ParsedText): readonly string[] {
  const [old, now] = [readLoose(before), readLoose(after)]
  return [...old].flatMap(([path, text]) => {
    const other = now.get(path)
    return other === undefined || other === text ? [] : [path]
  })
}

/** By path: its own text, without that of its members. */
function readLoose({ text, tiles, symbols }: ParsedText): ReadonlyMap<string, string> {
  const loose = new Map<string, string[]>([['', []]])
  addSymbols(symbols, loose)
  for (const tile of tiles) {
    const owner = findOwner(symbols, tile)
    const isIn = owner !== null && owner.children.length === 0 && isWithin(tile, owner.own)
    const part = sliceSpan(text, tile)
    // What stands between members goes with them.
    const isBetween = tile.kind === 'space' || part === ',' || part === ';'
    if (isIn || !isBetween) loose.get(owner?.path ?? '')?.push(part)
  }
  return new Map([...loose].map(([path, parts]) => [path, parts.join('')]))
}

function addSymbols(symbols: readonly SymbolNode[], loose: Map<string, string[]>): void {
  for (const { path, children } of symbols) {
    loose.set(path, [])
    addSymbols(children, loose)
  }
}

/** The innermost that it lies in, with what goes with that. */
function findOwner(symbols: readonly SymbolNode[], tile: Span): SymbolNode | null {
  let [low, high] = [0, symbols.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const one = symbols[middle]
    if (one !== undefined && Math.min(one.whole.start, one.own.start) <= tile.start)
      low = middle + 1
    else high = middle
  }
  const holder = symbols[low - 1]
  if (holder === undefined) return null
  if (!isWithin(tile, holder.whole) && !isWithin(tile, holder.own)) return null
  return findOwner(holder.children, tile) ?? holder
}

function isWithin({ start, end }: Span, holder: Span): boolean {
  return start >= holder.start && end <= holder.end
}
