/** Where a symbol stands: what holds it, and what stands beside it. */
import { isInside } from '../text/span.ts'
import type { ParsedText } from './parsed.ts'
import type { SymbolNode } from './symbol-node.ts'

/** What holds a symbol, from the outermost on; without the symbol. */
export function listHolders(
  { symbols }: Pick<ParsedText, 'symbols'>,
  symbol: SymbolNode,
): readonly SymbolNode[] {
  const holders: SymbolNode[] = []
  for (let level = symbols; !level.includes(symbol); ) {
    const holder = level.find(
      (one) => symbol.path.startsWith(`${one.path}/`) && isInside(symbol.own, one.own),
    )
    if (holder === undefined) return holders
    holders.push(holder)
    level = holder.children
  }
  return holders
}

/** Itself and all that declare the same name beside it: overloads, an interface and its class, a getter and its setter. */
export function listNamesakes(parsed: ParsedText, symbol: SymbolNode): readonly SymbolNode[] {
  if (symbol.nameSpan === null) return [symbol]
  const level = listHolders(parsed, symbol).at(-1)?.children ?? parsed.symbols
  return level.filter(({ name, nameSpan }) => nameSpan !== null && name === symbol.name)
}
