/** Declarations of a function without a body stand before the one with it, and nothing between them. */
import type { SymbolNode } from '../tree/symbol-node.ts'

const OVERLOADED: ReadonlySet<string> = new Set([
  'function',
  'method',
  'static_method',
  'constructor',
])

/** How many are torn from the next one of their name. Those of an interface may stand anywhere. */
export function countTorn(symbols: readonly SymbolNode[]): number {
  let torn = 0
  const waiting = new Map<string, number>()
  for (const [index, { kind, name, body, children }] of symbols.entries()) {
    if (kind !== 'interface') torn += countTorn(children)
    if (!OVERLOADED.has(kind)) continue
    const label = `${kind} ${name}`
    const before = waiting.get(label)
    if (before !== undefined && before < index - 1) torn += 1
    if (body === null) waiting.set(label, index)
    else waiting.delete(label)
  }
  return torn
}
