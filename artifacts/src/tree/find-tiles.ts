/** Tiles by their place: they are in the order of the text, so that none before it has to be looked at. */
import type { Span } from '../text/span.ts'
import type { ParsedText } from './parsed.ts'

/** The index of the first tile that begins at a place or behind it. */
export function findTileAt(tiles: readonly Span[], place: number): number {
  let [low, high] = [0, tiles.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((tiles[middle]?.start ?? 0) < place) low = middle + 1
    else high = middle
  }
  return low
}

/** The tiles that begin within a span. */
export function listTilesIn(
  { tiles }: Pick<ParsedText, 'tiles'>,
  { start, end }: Span,
): ParsedText['tiles'] {
  return tiles.slice(findTileAt(tiles, start), findTileAt(tiles, end))
}
