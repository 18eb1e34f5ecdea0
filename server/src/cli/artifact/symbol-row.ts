/** A symbol as scripts read it. */
import type { SymbolNode } from 'rubicon-artifacts'
import { countLine, type ReadText } from './artifact-place.ts'

export type SymbolRow = {
  readonly path: string
  readonly kind: string
  readonly name: string
  /** Whether it means the same in any place among its siblings. */
  readonly order: 'free' | 'fixed'
  /** From 1 on. */
  readonly first_line: number
  readonly last_line: number
}

/** A symbol before what is in it. */
export function listSymbolRows(
  { parsed }: ReadText,
  symbols: readonly SymbolNode[] = parsed.symbols,
): readonly SymbolRow[] {
  const { text } = parsed
  return listAll(symbols).map(({ path, kind, name, order, own }) => ({
    ...{ path, kind, name, order },
    first_line: countLine(text, own.start),
    last_line: countLine(text, Math.max(own.start, own.end - 1)),
  }))
}

function listAll(symbols: readonly SymbolNode[]): readonly SymbolNode[] {
  return symbols.flatMap((symbol) => [symbol, ...listAll(symbol.children)])
}
