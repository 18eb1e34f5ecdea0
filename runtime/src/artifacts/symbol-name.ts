/**
 * How contracts, plans and answers name what lies in an artifact: its name, one space, the path of the symbol in it. The name alone is
 * the artifact with all that it holds.
 *
 * N1 a name has one reading: artifacts whose own name holds a space are not known here, and a path holds none.
 */

export type SymbolName = {
  readonly artifact: string
  /** Empty: the artifact itself. */
  readonly path: string
}

export function formatSymbolName({ artifact, path }: SymbolName): string {
  return path === '' ? artifact : `${artifact} ${path}`
}

export function parseSymbolName(text: string): SymbolName {
  const space = text.indexOf(' ')
  if (space < 0) return { artifact: text, path: '' }
  return { artifact: text.slice(0, space), path: text.slice(space + 1) }
}

/** Each once, in the order of their code units. */
export function listArtifactNames(symbols: readonly string[]): readonly string[] {
  return sortNames(symbols.map((symbol) => parseSymbolName(symbol).artifact))
}

/** Each once, in the order of their code units: two lists of the same names are the same list. */
export function sortNames(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort()
}

export function isSameNames(one: readonly string[], other: readonly string[]): boolean {
  const [a, b] = [sortNames(one), sortNames(other)]
  return a.length === b.length && a.every((name, index) => name === b[index])
}

export function formatSymbolCount(count: number): string {
  return count === 1 ? '1 symbol' : `${count} symbols`
}
