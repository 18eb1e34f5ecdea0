/** The tokens of a part of a text. */
import type { Span } from '../text/span.ts'
import { findTileAt } from '../tree/find-tiles.ts'
import type { ParsedText } from '../tree/parsed.ts'
import type { Tile } from '../tree/tile.ts'

export class TokenReader {
  readonly #parsed: ParsedText

  constructor(parsed: ParsedText) {
    this.#parsed = parsed
  }

  /** Without white space and comments; without what lies in `but`. */
  listTokens(span: Span, but: readonly Span[] = []): readonly string[] {
    return this.#listTiles(span, but)
      .filter(({ kind }) => kind !== 'space' && kind !== 'comment')
      .map(({ start, end }) => this.#parsed.text.slice(start, end))
  }

  listComments(span: Span, but: readonly Span[] = []): readonly string[] {
    return this.#listTiles(span, but)
      .filter(({ kind }) => kind === 'comment')
      .map(({ start, end }) => this.#parsed.text.slice(start, end))
  }

  #listTiles({ start, end }: Span, but: readonly Span[]): readonly Tile[] {
    const { tiles } = this.#parsed
    const found: Tile[] = []
    for (let i = findTileAt(tiles, start); i < tiles.length; i += 1) {
      const tile = tiles[i]
      if (tile === undefined || tile.start >= end) break
      if (!but.some((one) => one.start <= tile.start && tile.end <= one.end)) found.push(tile)
    }
    return found
  }
}
