/** What is taken of a name where it stands: of `ns.a.b` it is `a`, then `b`. */
import type { Span } from '../text/span.ts'
import { findTileAt } from '../tree/find-tiles.ts'
import type { ParsedText } from '../tree/parsed.ts'
import type { Tile } from '../tree/tile.ts'

export type Member = { readonly name: string; readonly at: Span }

/** The members behind a name, at most as many as asked for. */
export function listMembersBehind(
  { text, tiles }: ParsedText,
  at: Span,
  limit: number,
): readonly Member[] {
  const members: Member[] = []
  let index = findTileAt(tiles, at.end)
  while (members.length < limit) {
    const next = readMember(text, tiles, index)
    if (next === null) break
    members.push(next.member)
    index = next.index
  }
  return members
}

function readMember(
  text: string,
  tiles: readonly Tile[],
  from: number,
): { readonly member: Member; readonly index: number } | null {
  let index = from
  const read = (): { readonly tile: Tile; readonly word: string } | null => {
    while (tiles[index]?.kind === 'space' || tiles[index]?.kind === 'comment') index += 1
    const tile = tiles[index]
    index += 1
    return tile === undefined ? null : { tile, word: text.slice(tile.start, tile.end) }
  }
  let mark = read()
  // `a!.b`, `a?.b`, `a?.['b']`: what stands before the point adds nothing to the name.
  let isOptional = false
  while (mark?.word === '!' || (mark?.word === '?' && text[mark.tile.end] === '.')) {
    isOptional = mark.word === '?'
    mark = read()
  }
  if (mark?.word === '.') {
    const start = index
    const next = read()
    if (next?.tile.kind === 'word' && !/^[0-9]/.test(next.word))
      return { member: { name: next.word, at: toSpan(next.tile) }, index }
    if (!isOptional) return null
    index = start
    mark = read()
  }
  if (mark?.word !== '[') return null
  const key = read()
  if (key?.tile.kind !== 'literal' || read()?.word !== ']') return null
  const { start, end } = key.tile
  const at = { start: start + 1, end: end - 1 }
  return { member: { name: text.slice(at.start, at.end), at }, index }
}

function toSpan({ start, end }: Span): Span {
  return { start, end }
}
