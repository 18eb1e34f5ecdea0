/** Gives the symbols of one container their paths: one path names one symbol. */
import { ARTIFACT_LIMITS } from '../limits.ts'
import { formatSegment } from '../path/symbol-path.ts'
import type { SymbolNode } from './symbol-node.ts'

/** A symbol before it and what is in it have paths. */
export type UnnamedSymbol = Omit<SymbolNode, 'path' | 'children'> & {
  readonly children: readonly UnnamedSymbol[]
}

export function nameSymbols(
  symbols: readonly UnnamedSymbol[],
  parent: string | null = null,
): readonly SymbolNode[] {
  const counts = new Map<string, number>()
  const keys = symbols.map(({ kind, name }) =>
    formatSegment({ kind, name: shortenName(name), ordinal: null }),
  )
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  const seen = new Map<string, number>()
  return symbols.map((symbol, i): SymbolNode => {
    const key = keys[i] ?? ''
    const ordinal = (seen.get(key) ?? 0) + 1
    seen.set(key, ordinal)
    const segment = (counts.get(key) ?? 1) > 1 ? `${key}#${ordinal}` : key
    const path = parent === null ? segment : `${parent}/${segment}`
    return { ...symbol, path, children: nameSymbols(symbol.children, path) }
  })
}

/** A path has room for the beginning of a long name; ordinals tell two apart that begin alike. */
function shortenName(name: string): string {
  return name.slice(0, ARTIFACT_LIMITS.nameLength).toWellFormed()
}
