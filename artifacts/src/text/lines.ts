/** How a text breaks and indents its lines: what is put in does it likewise. */

/** Of the first break; of a text without one, a line feed. */
export function detectLineBreak(text: string): '\n' | '\r\n' {
  const at = text.indexOf('\n')
  return at > 0 && text[at - 1] === '\r' ? '\r\n' : '\n'
}

/** What one level more is: a tab, or as many spaces as the first indented line has; two of a text without one. */
export function detectIndentUnit(text: string): string {
  const found = /(?:^|\n)(?:(\t)|( {2,8})(?=[^ *\s]))/u.exec(text)
  return found?.[1] ?? found?.[2] ?? '  '
}

/** The white space that the line of a place begins with. */
export function readIndentAt(text: string, place: number): string {
  const start = text.lastIndexOf('\n', place - 1) + 1
  return /^[ \t]*/u.exec(text.slice(start, place))?.[0] ?? ''
}

export function isLineStart(text: string, place: number): boolean {
  return place === 0 || text[place - 1] === '\n'
}

/**
 * Without the indent that its lines have in common, and without blank lines around it. Where the indent is no syntax, the first line
 * does not count: whoever copies a member leaves the indent of its first line behind.
 */
export function dedent(fragment: string, isSyntax: boolean): string {
  const lines = fragment
    .replace(/^(?:[ \t]*\r?\n)+/u, '')
    .trimEnd()
    .split(/\r?\n/u)
  const counted = lines.filter((line, i) => line.trim() !== '' && (isSyntax || i > 0))
  const common = counted.length === 0 ? 0 : Math.min(...counted.map(countLeadingBlanks))
  return lines.map((line) => line.slice(Math.min(common, countLeadingBlanks(line)))).join('\n')
}

function countLeadingBlanks(line: string): number {
  return /^[ \t]*/u.exec(line)?.[0].length ?? 0
}
