/** Differences by structure, as people and scripts read them. */
import { compareSymbols, type SymbolChange } from 'rubicon-artifacts'
import { escapeText } from '../escape-text.ts'
import type { Colour, Output } from '../output.ts'
import { countLine, type ReadText } from './artifact-place.ts'

export type ChangeRow = Omit<SymbolChange, 'at'> & {
  /** In the text behind the change; of what was removed, in the text before. */
  readonly line: number
}

export function listChangeRows(before: ReadText, after: ReadText): readonly ChangeRow[] {
  return compareSymbols(before.parsed, after.parsed).map(({ at, ...row }) => {
    const { text } = row.change === 'removed' ? before.parsed : after.parsed
    return { ...row, line: countLine(text, at.start) }
  })
}

const MARKS: Readonly<Record<SymbolChange['change'], readonly [string, Colour]>> = {
  added: ['+', 'green'],
  removed: ['-', 'red'],
  changed: ['~', 'amber'],
  moved: ['>', 'violet'],
  renamed: ['=', 'violet'],
}

export function showChangeRows(out: Output, rows: readonly ChangeRow[]): void {
  for (const { change, path, was, parts, line } of rows) {
    const [mark, colour] = MARKS[change]
    const more = [
      ...(was === null ? [] : [`was ${was}`]),
      ...(parts.length === 0 ? [] : [parts.join(', ')]),
      `line ${line}`,
    ]
    out.line(
      `${out.paint(colour, `${mark} ${change}`)} ${escapeText(path)} ${out.paint('grey', escapeText(more.join(' · ')))}`,
    )
  }
}
