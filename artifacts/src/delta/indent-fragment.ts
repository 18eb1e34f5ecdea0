/** Gives a fragment the indent and the line breaks of the place that it is put in. */
import type { Span } from '../text/span.ts'
import type { ParsedText } from '../tree/parsed.ts'

export type LineStyle = { readonly indent: string; readonly lineBreak: string }

/** Every line behind the first: of formats in which the indent is syntax. */
export function indentLines(fragment: string, { indent, lineBreak }: LineStyle): string {
  const [first = '', ...lines] = fragment.split('\n')
  return [first, ...lines.map((line) => (line === '' ? '' : `${indent}${line}`))].join(lineBreak)
}

/** Lines that begin in white space: never within a text, a template or a comment, whose bytes are their meaning. */
export function indentTokens(
  fragment: string,
  after: ParsedText,
  put: Span,
  { indent, lineBreak }: LineStyle,
): string {
  const start = after.text.indexOf(fragment, put.start)
  const breaks = new Set<number>()
  for (const { kind, start: from, end } of after.tiles) {
    if (kind !== 'space' || end <= start || from >= start + fragment.length) continue
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
