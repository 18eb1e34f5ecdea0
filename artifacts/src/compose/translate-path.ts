/** Which symbol of a text that others have changed a path of the author's text means (B3). */
import { moveSpan } from '../text/moved-span.ts'
import { invertSplices, type Splice } from '../text/splice.ts'
import { findSymbol } from '../tree/find-symbol.ts'
import type { ParsedText } from '../tree/parsed.ts'
import type { SymbolNode } from '../tree/symbol-node.ts'

export type Translation = {
  readonly base: ParsedText
  /** The text that the path is of. */
  readonly before: ParsedText
  /** From the base to it, and from the base to what is there now. */
  readonly seen: readonly Splice[]
  readonly there: readonly Splice[]
  readonly current: ParsedText
}

/** Null: it is not there any more, or nobody can say which it is. */
export function translatePath(path: string, translation: Translation): string | null {
  const found = findSymbol(translation.before, path)
  if (!found.ok) return null
  const place = toPlace(found.value, translation)
  if (place !== null) return findAt(translation.current.symbols, found.value, place)?.path ?? null
  // The entry has put it in itself.
  const cut = path.lastIndexOf('/')
  const holder = cut < 0 ? '' : translatePath(path.slice(0, cut), translation)
  if (holder === null || path.includes('#', cut + 1)) return null
  const own = `${holder === '' ? '' : `${holder}/`}${path.slice(cut + 1)}`
  return findSymbol(translation.current, own).ok ? own : null
}

/** Where a symbol of the author's text begins in what is there now; null: it is not of the base, or its beginning was written anew. */
export function toPlace({ own }: SymbolNode, { base, seen, there }: Translation): number | null {
  const { start } = moveSpan(own, invertSplices(base.text, seen))
  return start === null ? null : moveSpan({ start, end: start }, there).start
}

function findAt(
  symbols: readonly SymbolNode[],
  wanted: Pick<SymbolNode, 'kind' | 'name'>,
  place: number,
): SymbolNode | null {
  for (const symbol of symbols) {
    const { own, children, kind, name } = symbol
    // An item is named by its place.
    const isSame = kind === wanted.kind && (name === wanted.name || kind === 'item')
    if (own.start === place && isSame) return symbol
    if (own.start <= place && place < own.end) return findAt(children, wanted, place)
  }
  return null
}
