/** Names as the parser writes them down. */
import type { ModuleExportName } from 'oxc-parser'
import type { Span } from '../../../text/span.ts'

export type Word = { readonly name: string; readonly start: number }

/** The parser counts what is written about its type as a part of a name. */
export function toWordSpan({ name, start }: Word): Span {
  return { start, end: start + name.length }
}

/** A name of an export may be a text. */
export function toExportName(node: ModuleExportName): {
  readonly name: string
  readonly nameSpan: Span
} {
  if (node.type === 'Literal')
    return { name: node.value, nameSpan: { start: node.start, end: node.end } }
  return { name: node.name, nameSpan: toWordSpan(node) }
}
