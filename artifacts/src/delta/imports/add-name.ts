/** Puts a name between the braces of an import, in the style of the names that are there. */
import { detectLineBreak, readIndentAt } from '../../text/lines.ts'
import { sliceSpan } from '../../text/span.ts'
import type { Splice } from '../../text/splice.ts'
import { findTileAt } from '../../tree/find-tiles.ts'
import type { ParsedText } from '../../tree/parsed.ts'
import type { ImportDeclaration, ImportedName } from './read-imports.ts'
import { countBefore, detectOrder } from './sorted-order.ts'

export function addName(
  parsed: ParsedText,
  named: NonNullable<ImportDeclaration['named']>,
  added: { readonly text: string; readonly imported: string },
): readonly Splice[] {
  const { names, start } = named
  const compare = detectOrder([names.map(({ imported }) => imported)])
  const index = countBefore(
    names.map(({ imported }) => imported),
    added.imported,
    compare,
  )
  const before = names[index - 1]
  const behind = names[index]
  if (before !== undefined) return addBehind(parsed, before, added.text)
  if (behind === undefined) return []
  const isOnLines = sliceSpan(parsed.text, { start, end: behind.start }).includes('\n')
  const gap = isOnLines
    ? `${detectLineBreak(parsed.text)}${readIndentAt(parsed.text, behind.start)}`
    : ' '
  const at = isOnLines ? start + 1 : behind.start
  const text = isOnLines ? `${gap}${added.text},` : `${added.text},${gap}`
  return [{ start: at, end: at, text }]
}

/** With its comma, and behind the comment that the name before it has on its line. */
function addBehind(parsed: ParsedText, before: ImportedName, text: string): readonly Splice[] {
  const { comma, comment } = readTail(parsed, before.end)
  const isOnLines = isFirstOfLine(parsed.text, before.start)
  const lineBreak = detectLineBreak(parsed.text)
  const gap = isOnLines ? `${lineBreak}${readIndentAt(parsed.text, before.start)}` : ' '
  if (comment === null) return [insert(before.end, `,${gap}${text}`)]
  const own = insert(comment, `${gap}${text}${comma === null ? '' : ','}`)
  return comma === null ? [insert(before.end, ','), own] : [own]
}

function insert(at: number, text: string): Splice {
  return { start: at, end: at, text }
}

function isFirstOfLine(text: string, place: number): boolean {
  return text.slice(text.lastIndexOf('\n', place - 1) + 1, place).trim() === ''
}

/** Where the comma of a name is, and where a comment behind it on its line ends. */
function readTail(
  { text, tiles }: ParsedText,
  end: number,
): { readonly comma: number | null; readonly comment: number | null } {
  let comma: number | null = null
  let comment: number | null = null
  for (let i = findTileAt(tiles, end); i < tiles.length; i += 1) {
    const tile = tiles[i]
    if (tile === undefined) break
    const part = sliceSpan(text, tile)
    if (tile.kind === 'space') {
      if (part.includes('\n')) break
    } else if (tile.kind === 'comment') comment = tile.end
    else if (part === ',' && comma === null) comma = tile.start
    else return { comma, comment: null }
  }
  return { comma, comment }
}
