/** The value of a config artifact, read from its tree: with comments or without, it is the same tree. */
import { isObject, type JsonObject, type JsonValue } from 'rubicon-kernel/canonical'
import { sliceSpan } from '../text/span.ts'
import type { SymbolNode } from '../tree/symbol-node.ts'
import type { ProjectArtifact } from './artifact.ts'

/** Of a JSON artifact that is an object; null: it is something else, or nothing that can be read. */
export function readConfig({ parsed, format }: ProjectArtifact): JsonObject | null {
  if (parsed === null || format?.type !== 'config') return null
  const value = toObject(parsed.text, parsed.symbols)
  return isObject(value) ? value : null
}

function toValue(text: string, { body, children }: SymbolNode): JsonValue {
  if (body === null) return null
  const source = sliceSpan(text, body)
  if (source.startsWith('{')) return toObject(text, children)
  if (source.startsWith('[')) return children.map((child) => toValue(text, child))
  return readScalar(source)
}

/** Without a prototype: a key may have any name. The last one of a name counts. */
function toObject(text: string, symbols: readonly SymbolNode[]): JsonValue {
  const entries = symbols.filter(({ kind }) => kind === 'key')
  return Object.fromEntries(entries.map((symbol) => [symbol.name, toValue(text, symbol)]))
}

function readScalar(source: string): JsonValue {
  try {
    const value: unknown = JSON.parse(source)
    const isPlain = ['string', 'number', 'boolean'].includes(typeof value)
    return isPlain ? (value as string | number | boolean) : null
  } catch {
    return null
  }
}
