/** Which symbol of one text is which of another, among the members of one container. */
import type { SymbolNode } from '../tree/symbol-node.ts'
import type { TokenReader } from './token-reader.ts'

export type SymbolPair = { readonly before: SymbolNode; readonly after: SymbolNode }

export type MatchedSymbols = {
  /** In the order of the text behind. */
  readonly pairs: readonly SymbolPair[]
  readonly removed: readonly SymbolNode[]
  readonly added: readonly SymbolNode[]
}

export type Readers = { readonly before: TokenReader; readonly after: TokenReader }

/** By kind and name; of several with one name those that hold the same come first, then their order; then by what they hold. */
export function matchSymbols(
  before: readonly SymbolNode[],
  after: readonly SymbolNode[],
  readers: Readers,
): MatchedSymbols {
  const left = new Set(before)
  const found = new Map<SymbolNode, SymbolNode>()
  const rules: readonly ((one: SymbolNode, other: SymbolNode) => boolean)[] = [
    (one, other) => isNamedAlike(one, other) && hasSameTokens(one, other, readers),
    isNamedAlike,
    (one, other) => isRenamed(one, other, readers),
  ]
  for (const isMatch of rules)
    for (const other of after) {
      if (found.has(other)) continue
      const one = [...left].find((candidate) => isMatch(candidate, other))
      if (one === undefined) continue
      found.set(other, one)
      left.delete(one)
    }
  return {
    pairs: after.flatMap((other) => {
      const one = found.get(other)
      return one === undefined ? [] : [{ before: one, after: other }]
    }),
    removed: [...left],
    added: after.filter((other) => !found.has(other)),
  }
}

/** An item is named by its place, which says nothing of which item it is. */
export function isNamedAlike(one: SymbolNode, other: SymbolNode): boolean {
  return one.kind === other.kind && (one.name === other.name || one.kind === 'item')
}

export function hasSameTokens(one: SymbolNode, other: SymbolNode, readers: Readers): boolean {
  const [from, to] = [readers.before.listTokens(one.own), readers.after.listTokens(other.own)]
  return from.length === to.length && from.every((token, i) => token === to[i])
}

/** The same tokens but for the name, wherever it stands in them. */
function isRenamed(one: SymbolNode, other: SymbolNode, readers: Readers): boolean {
  if (one.kind !== other.kind || one.nameSpan === null || other.nameSpan === null) return false
  const [from, to] = [readers.before.listTokens(one.own), readers.after.listTokens(other.own)]
  if (from.length !== to.length || from.length < 2) return false
  const [name] = readers.before.listTokens(one.nameSpan)
  const [next] = readers.after.listTokens(other.nameSpan)
  return from.every((token, i) => token === to[i] || (token === name && to[i] === next))
}
