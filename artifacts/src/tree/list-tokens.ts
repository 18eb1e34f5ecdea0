/** The tokens of a part of a text: no comments, no white space. */
import { isInside, type Span, sliceSpan } from '../text/span.ts'
import { findTileAt } from './find-tiles.ts'
import type { ParsedText } from './parsed.ts'

/** Without those that lie in `left`. */
export function listTokens(
  { text, tiles }: Pick<ParsedText, 'text' | 'tiles'>,
  within: Span,
  left: Span | null = null,
): readonly string[] {
  const tokens: string[] = []
  for (let i = findTileAt(tiles, within.start); i < tiles.length; i += 1) {
    const tile = tiles[i]
    if (tile === undefined || tile.end > within.end) break
    if (tile.kind === 'space' || tile.kind === 'comment') continue
    if (left === null || !isInside(tile, left)) tokens.push(sliceSpan(text, tile))
  }
  return tokens
}
