/** `[REQ-7]` in the prose of a document stands for a requirement, of this document or of nobody knows which. */
import { isInside, type Span } from '../../text/span.ts'
import { findSymbol } from '../../tree/find-symbol.ts'
import type { ParsedText } from '../../tree/parsed.ts'
import type { SymbolNode } from '../../tree/symbol-node.ts'
import type { Reference } from '../format.ts'
import { listVerbatim } from './read-blocks.ts'

const MARK = /\[(REQ-[0-9]{1,9})\]/gu

/** Those within a span that refer to what stands outside of it. */
export function findRequirementReferences(parsed: ParsedText, within: Span): readonly Reference[] {
  const known = listRequirements(parsed.symbols)
  return listMarks(parsed.text)
    .filter(({ at }) => isInside(at, within))
    .filter(({ name }) => {
      const requirement = known.get(name)
      return requirement === undefined || !isInside(requirement.own, within)
    })
    .map(({ name, at }) => toReference(known, name, at))
}

/** References to requirements that the document does not have. */
export function listDangling(parsed: ParsedText): readonly Reference[] {
  const known = listRequirements(parsed.symbols)
  return listMarks(parsed.text)
    .filter(({ name }) => !known.has(name))
    .map(({ name, at }) => toReference(known, name, at))
}

/** Its heading first. Null: anything else is named by links that nobody here reads. */
export function findRequirementOccurrences(
  parsed: ParsedText,
  path: string,
): readonly Span[] | null {
  const found = findSymbol(parsed, path)
  if (!found.ok || found.value.kind !== 'requirement' || found.value.nameSpan === null) return null
  const { name, nameSpan } = found.value
  const marks = listMarks(parsed.text).filter((mark) => mark.name === name)
  return [nameSpan, ...marks.map(({ at }) => at)].sort((a, b) => a.start - b.start)
}

function toReference(known: ReadonlyMap<string, SymbolNode>, name: string, at: Span): Reference {
  const path = known.get(name)?.path
  return { name, at, to: path === undefined ? { kind: 'free' } : { kind: 'symbol', path } }
}

/** The name between the brackets. */
function listMarks(text: string): readonly { readonly name: string; readonly at: Span }[] {
  const marks = [...text.matchAll(MARK)].map(({ index, 1: name = '' }) => ({
    name,
    at: { start: index + 1, end: index + 1 + name.length },
  }))
  if (marks.length === 0) return []
  const verbatim = listVerbatim(text)
  let next = 0
  let end = 0
  // Both are in the order of the text, and a verbatim part may lie within another.
  return marks.filter(({ at }) => {
    for (let span = verbatim[next]; span !== undefined && span.start <= at.end; ) {
      end = Math.max(end, span.end)
      next += 1
      span = verbatim[next]
    }
    return end < at.start
  })
}

function listRequirements(symbols: readonly SymbolNode[]): ReadonlyMap<string, SymbolNode> {
  const found = new Map<string, SymbolNode>()
  const open = [...symbols]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.kind === 'requirement') found.set(next.name, next)
    open.push(...next.children)
  }
  return found
}
