/** What a key of YAML is called: the same in a path and in a value. */
import { isScalar, type Node } from 'yaml'
import { type Span, sliceSpan } from '../../text/span.ts'

export function nameYamlKey(text: string, key: Node): string {
  if (isScalar(key)) return String(key.value)
  const span = trimNode(text, key)
  return span === null ? '' : sliceSpan(text, span)
}

/** A value without the line break behind it: that belongs to its line. */
export function trimNode(text: string, node: Node | null): Span | null {
  const range = node?.range
  if (range === undefined || range === null || range[1] <= range[0]) return null
  const [start, end] = range
  return { start, end: start + text.slice(start, end).trimEnd().length }
}
