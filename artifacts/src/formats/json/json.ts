/** JSON, and JSON with comments. */
import { ok } from 'rubicon-kernel'
import type { Span } from '../../text/span.ts'
import { nameSymbols, type UnnamedSymbol } from '../../tree/name-symbols.ts'
import { OwnedLines } from '../../tree/owned-lines.ts'
import type { ParseResult } from '../../tree/parsed.ts'
import type { Container } from '../../tree/symbol-node.ts'
import type { Format } from '../format.ts'
import { JSON_VALUES } from './json-values.ts'
import { type ReadValue, readJson } from './read-values.ts'

const SHARED = { type: 'config', indentation: 'free', values: JSON_VALUES } as const

export const JSON_FORMAT: Format = {
  ...SHARED,
  media: 'application/json',
  endings: ['.json'],
  parse: (text) => parseWith(text, true),
}

/** By convention of the tools that read them, these have comments. */
export const JSONC_FORMAT: Format = {
  ...SHARED,
  media: 'application/jsonc',
  endings: ['.jsonc', 'tsconfig.json', '.code-workspace'],
  parse: (text) => parseWith(text, false),
}

function parseWith(text: string, isStrict: boolean): ParseResult {
  const read = readJson(text, isStrict)
  if (!read.ok) return read
  const { value, tiles } = read.value
  const lines = new OwnedLines(text, tiles)
  const { container, children } = drawValue(lines, value)
  const symbols = nameSymbols(children)
  // A document that is one plain value has no place for members.
  return ok({ text, tiles, symbols, container: container ?? { inside: value, separator: ',' } })
}

/** The order of keys says nothing in JSON; that of items does. */
function drawValue(
  lines: OwnedLines,
  { start, end, members, shape }: ReadValue,
): { readonly container: Container | null; readonly children: readonly UnnamedSymbol[] } {
  if (members === null) return { container: null, children: [] }
  const inside: Span = { start: start + 1, end: end - 1 }
  const children = members.map((member, index): UnnamedSymbol => {
    const { key, value } = member
    return {
      kind: key === null ? 'item' : 'key',
      name: key?.name ?? String(index),
      own: { start: member.start, end: member.end },
      whole: lines.find(member, inside, ','),
      nameSpan: key === null ? null : { start: key.start, end: key.end },
      body: { start: value.start, end: value.end },
      order: shape === 'object' ? 'free' : 'fixed',
      ...drawValue(lines, value),
    }
  })
  return { container: { inside, separator: ',' }, children }
}
