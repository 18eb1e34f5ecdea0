/** Anchors of a text, and which of them its aliases stand for. An anchor may be set again: the last one before an alias counts. */
import { isInside, sliceSpan } from '../../text/span.ts'
import type { ParsedText } from '../../tree/parsed.ts'
import type { SymbolNode } from '../../tree/symbol-node.ts'
import type { SharedValues } from '../shared-values.ts'

const NONE: SharedValues = { anchored: [], aliases: [] }

export function readYamlAnchors(parsed: ParsedText): SharedValues {
  if (!parsed.text.includes('&')) return NONE
  const anchored: string[] = []
  const aliases: SharedValues['aliases'][number][] = []
  const last = new Map<string, string>()
  for (const { start, end, kind } of parsed.tiles) {
    if (kind !== 'word') continue
    const word = sliceSpan(parsed.text, { start, end })
    const name = word.slice(1)
    if (word.startsWith('&')) {
      const path = findHolder(parsed.symbols, start)
      last.set(name, path)
      anchored.push(path)
    }
    const of = last.get(name)
    if (word.startsWith('*') && of !== undefined) aliases.push({ at: { start, end }, of })
  }
  return { anchored, aliases }
}

/** The innermost symbol that a place lies in; empty: the document. */
function findHolder(level: readonly SymbolNode[], at: number): string {
  const holder = level.find(({ own }) => isInside({ start: at, end: at + 1 }, own))
  if (holder === undefined) return ''
  const within = findHolder(holder.children, at)
  return within === '' ? holder.path : within
}
