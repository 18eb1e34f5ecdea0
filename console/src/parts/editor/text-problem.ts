import type { DocumentProblem } from 'rubicon-agents/client'

/** A place in a text as the server names it: from 1 on, characters and not code units. */
export type TextProblem = {
  readonly line: number
  readonly column: number
  readonly message: string
  readonly severity: 'error' | 'warning'
}

/** What is underlined of a text that the server has checked. Warnings have no place: they stand beside it. */
export function toTextProblems(
  checked: { readonly ok: boolean; readonly problems: readonly DocumentProblem[] } | null,
): readonly TextProblem[] {
  if (checked === null || checked.ok) return []
  return checked.problems.map(({ line, column, path, detail }) => ({
    line,
    column,
    message: path === '' ? detail : `${path} ${detail}`,
    severity: 'error',
  }))
}

/** What an editor needs of a text; what CodeMirror calls one is one. */
type Lines = {
  readonly lines: number
  readonly line: (number: number) => Line
}

type Line = { readonly from: number; readonly to: number; readonly text: string }

/** What is underlined: the word at the place, to the end of the line where there is none. Never nothing, if there is a line. */
export function findProblemRange(
  doc: Lines,
  { line, column }: Pick<TextProblem, 'line' | 'column'>,
): { readonly from: number; readonly to: number } {
  const found = doc.line(clamp(line, 1, doc.lines))
  const start = countUnits(found.text, column - 1)
  const word = /^[\w.@-]+(?::[\w.@-]+)*/.exec(found.text.slice(start))?.[0] ?? ''
  const from = found.from + Math.min(start, found.text.length)
  const to = word === '' ? found.to : from + word.length
  // At the end of a line there is nothing to underline: all of the line is.
  if (from >= to) return { from: found.from + indent(found.text), to: found.to }
  return { from, to }
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(Number.isSafeInteger(value) ? value : least, least), most)
}

/** Characters beyond the first plane are two units, and one column. */
function countUnits(text: string, characters: number): number {
  let units = 0
  let left = Math.max(0, characters)
  while (left > 0 && units < text.length) {
    units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1
    left -= 1
  }
  return units
}

function indent(text: string): number {
  return text.length - text.trimStart().length
}
