/** What of a text goes along when a symbol is moved, with the indent of its new place. */
import { readIndentAt } from '../text/lines.ts'
import { sliceSpan } from '../text/span.ts'
import { listTilesIn } from '../tree/find-tiles.ts'
import type { ParsedText } from '../tree/parsed.ts'
import type { SymbolNode } from '../tree/symbol-node.ts'
import type { Tile } from '../tree/tile.ts'
import { isStarred, type LineStyle } from './indent-fragment.ts'

export type MovedText = {
  /** The comments above it, and itself. */
  readonly text: string
  /** The comment behind it on its last line. */
  readonly comment: string
}

/** The separator stays behind: whether one is due is for the new place to say. */
export function readMovedText(
  parsed: ParsedText,
  { own, whole }: SymbolNode,
  style: LineStyle,
  indentation: 'free' | 'syntax',
): MovedText {
  const from = readIndentAt(parsed.text, own.start)
  const before = listTilesIn(parsed, { start: whole.start, end: own.start })
  const lead = before.find(({ kind }) => kind === 'comment')
  const start = lead?.start ?? own.start
  const parts = listTilesIn(parsed, { start, end: own.end })
  const behind = listTilesIn(parsed, { start: own.end, end: whole.end })
  const comment = behind.find(({ kind }) => kind === 'comment')
  const text =
    indentation === 'syntax'
      ? indentAll(parsed.text.slice(start, own.end), from, style)
      : parts.map((tile) => indentTile(parsed.text, tile, from, style)).join('')
  return { text, comment: comment === undefined ? '' : sliceSpan(parsed.text, comment) }
}

/** Lines begin in white space and in comments whose lines begin with a star; in texts and templates nothing is an indent. */
function indentTile(text: string, tile: Tile, from: string, style: LineStyle): string {
  const part = sliceSpan(text, tile)
  if (tile.kind === 'space') return indentAll(part, from, style, true)
  return isStarred(text, tile) ? indentAll(part, from, style) : part
}

/** In white space the last line is the beginning of one that has something on it. */
function indentAll(part: string, from: string, style: LineStyle, isSpace = false): string {
  const { indent, lineBreak } = style
  const [first = '', ...lines] = part.split(/\r?\n/u)
  const moved = lines.map((line, i) => {
    const isBlank = line.trim() === '' && !(isSpace && i === lines.length - 1)
    if (isBlank) return ''
    return line.startsWith(from) ? `${indent}${line.slice(from.length)}` : line
  })
  return [first, ...moved].join(lineBreak)
}
