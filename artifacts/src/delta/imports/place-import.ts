/**
 * Where a new import declaration goes: among those of its kind (of Node, of packages, of this project), in their order. What is imported
 * for its effect alone runs in its place, so nothing is put before it.
 */
import { detectLineBreak, isLineStart } from '../../text/lines.ts'
import { sliceSpan } from '../../text/span.ts'
import type { Splice } from '../../text/splice.ts'
import type { ParsedText } from '../../tree/parsed.ts'
import type { SymbolNode } from '../../tree/symbol-node.ts'
import { countBefore, detectOrder } from './sorted-order.ts'

export function placeImport(parsed: ParsedText, from: string, line: string): Splice {
  const lineBreak = detectLineBreak(parsed.text)
  const imports = parsed.symbols.filter(({ kind }) => kind === 'import')
  const last = imports.at(-1)
  if (last === undefined) return placeFirst(parsed, line, lineBreak)
  const behind = imports.slice(imports.findLastIndex(({ order }) => order === 'fixed') + 1)
  const group = findGroup(parsed.text, behind, from)
  if (group.length === 0) return insertBehind(parsed.text, last, line, lineBreak)
  const sources = group.map(({ name }) => name)
  const index = countBefore(sources, from, detectOrder([sources]))
  const before = group[index - 1]
  const next = group[index]
  if (before !== undefined) return insertBehind(parsed.text, before, line, lineBreak)
  const at = next?.whole.start ?? last.whole.end
  return { start: at, end: at, text: `${line}${lineBreak}` }
}

/** Imports without a blank line between them: the last such group that has one of its kind, or the last. */
function findGroup(
  text: string,
  imports: readonly SymbolNode[],
  from: string,
): readonly SymbolNode[] {
  const groups: SymbolNode[][] = []
  for (const [i, symbol] of imports.entries()) {
    const before = imports[i - 1]
    const gap = before === undefined ? '' : text.slice(before.own.end, symbol.own.start)
    const isNext = before !== undefined && !/\n[ \t]*\r?\n/u.test(gap)
    if (isNext) groups.at(-1)?.push(symbol)
    else groups.push([symbol])
  }
  const isOfKind = ({ name }: SymbolNode): boolean => toKind(name) === toKind(from)
  return groups.findLast((group) => group.some(isOfKind)) ?? groups.at(-1) ?? []
}

function toKind(from: string): 'node' | 'package' | 'own' {
  if (from.startsWith('.') || from.startsWith('/')) return 'own'
  return from.startsWith('node:') ? 'node' : 'package'
}

function insertBehind(
  text: string,
  { whole, own }: SymbolNode,
  line: string,
  lineBreak: string,
): Splice {
  const isOnLines = isLineStart(text, whole.end) && whole.end > own.end
  if (isOnLines) return { start: whole.end, end: whole.end, text: `${line}${lineBreak}` }
  const at = Math.max(own.end, whole.start + sliceSpan(text, whole).trimEnd().length)
  const isLast = text.slice(at).trim() === ''
  return { start: at, end: at, text: `${lineBreak}${line}${isLast ? '' : lineBreak}` }
}

/** Behind what has to come first: the program to run it with, directives, and comments that speak to tools or about the file. */
function placeFirst(parsed: ParsedText, line: string, lineBreak: string): Splice {
  const { symbols, text } = parsed
  const directives = countDirectives(parsed)
  const directive = symbols[directives - 1]
  const first = symbols[directives]
  if (directive !== undefined) {
    const splice = insertBehind(text, directive, line, lineBreak)
    return { ...splice, text: `${lineBreak}${splice.text}` }
  }
  const at = Math.max(findPreambleEnd(parsed), first?.whole.start ?? text.length)
  const gap = isLineStart(text, at) || text.slice(0, at) === '\uFEFF' ? '' : lineBreak
  const blank = first === undefined ? '' : lineBreak
  return { start: at, end: at, text: `${gap}${line}${lineBreak}${blank}` }
}

function countDirectives(parsed: ParsedText): number {
  const index = parsed.symbols.findIndex(({ kind }) => kind !== 'directive')
  return index < 0 ? parsed.symbols.length : index
}

const FOR_TOOLS =
  /^(?:#!|\/\/\/|\/\/ *@|\/\/ *(?:biome|eslint)|\/\*!|\/\*[\s\S]*@(?:license|preserve|file|jsx))/u

/** Behind the line of the last comment before everything else that has to stay there. */
function findPreambleEnd({ text, tiles }: ParsedText): number {
  let end = text.startsWith('\uFEFF') ? 1 : 0
  for (const tile of tiles) {
    if (tile.kind === 'space') continue
    if (tile.kind !== 'comment' || !FOR_TOOLS.test(sliceSpan(text, tile))) break
    const at = text.indexOf('\n', tile.end)
    end = at < 0 ? text.length : at + 1
  }
  return end
}
