/** A format whose names are words: one refers to the symbol of the artifact that has it, or to what is imported by it. */
import type { Format, Reference } from '../formats/format.ts'
import { findFormat } from '../formats/formats.ts'
import { isInside, type Span, sliceSpan } from '../text/span.ts'
import type { ParsedText } from '../tree/parsed.ts'
import type { SymbolNode } from '../tree/symbol-node.ts'

export function createWordFormat(name: string): Format {
  const format = findFormat(name)
  if (format === undefined) throw new Error(`nothing reads ${name}`)
  return { ...format, findReferences }
}

function findReferences(parsed: ParsedText, within: Span): readonly Reference[] {
  const found: Reference[] = []
  for (const tile of parsed.tiles) {
    if (tile.kind !== 'word' || !isInside(tile, within)) continue
    const name = sliceSpan(parsed.text, tile)
    const at = { start: tile.start, end: tile.end }
    const symbol = findVisible(parsed.symbols, name, at)
    const to = symbol === undefined ? toImport(parsed, name) : toOutside(symbol, within)
    if (to !== null) found.push({ name, at, to })
  }
  return found
}

/** In the innermost holder that has it: members of what a name does not stand in are not seen. */
function findVisible(level: readonly SymbolNode[], name: string, at: Span): SymbolNode | undefined {
  const holder = level.find(({ own, kind }) => kind === 'namespace' && isInside(at, own))
  const within = holder === undefined ? undefined : findVisible(holder.children, name, at)
  return within ?? level.find((one) => one.name === name && one.kind !== 'import')
}

function toOutside(symbol: SymbolNode, within: Span): Reference['to'] | null {
  return isInside(symbol.nameSpan ?? symbol.own, within)
    ? null
    : { kind: 'symbol', path: symbol.path }
}

function toImport({ symbols, text }: ParsedText, name: string): Reference['to'] {
  const source = symbols.find(
    ({ kind, own }) => kind === 'import' && sliceSpan(text, own).split(/\W+/u).includes(name),
  )
  return source === undefined ? { kind: 'free' } : { kind: 'import', from: source.name, name }
}
