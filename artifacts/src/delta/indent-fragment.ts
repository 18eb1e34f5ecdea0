/** Gives a fragment the indent and the line breaks of the place that it is put in. */
import { type Span, sliceSpan } from '../text/span.ts'
import type { ParsedText } from '../tree/parsed.ts'
import type { Tile } from '../tree/tile.ts'

export type LineStyle = { readonly indent: string; readonly lineBreak: string }

/** A comment of several lines, each of which begins with a star. */
export function isStarred(text: string, tile: Tile): boolean {
  return tile.kind === 'comment' && /^\/\*[^\n]*(?:\n[ \t]*\*[^\n]*)+$/u.test(sliceSpan(text, tile))
}

/** Every line behind the first: of formats in which the indent is syntax. */
export function indentLines(fragment: string, { indent, lineBreak }: LineStyle): string {
  const [first = '', ...lines] = fragment.split('\n')
  return [first, ...lines.map((line) => (line === '' ? '' : `${indent}${line}`))].join(lineBreak)
}

/**
 * Lines that begin in white space, or in a comment whose lines begin with a star: never within a text, a template or another comment,
 * whose bytes are their meaning.
 */
export function indentTokens(
  fragment: string,
  after: ParsedText,
  put: Span,
  { indent, lineBreak }: LineStyle,
): string {
  const start = after.text.indexOf(fragment, put.start)
  const breaks = new Set<number>()
  for (const tile of after.tiles) {
    const { start: from, end } = tile
    if (end <= start || from >= start + fragment.length) continue
    if (tile.kind !== 'space' && !isStarred(after.text, tile)) continue
    for (let at = Math.max(from, start); at < end; at += 1)
      if (after.text[at] === '\n') breaks.add(at - start)
  }
  let result = ''
  for (let at = 0; at < fragment.length; at += 1) {
    const isBlankLine = fragment[at + 1] === '\n'
    result += breaks.has(at) ? `${lineBreak}${isBlankLine ? '' : indent}` : fragment[at]
  }
  return result
}
