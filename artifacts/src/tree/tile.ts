/**
 * A text cut into tiles without a gap: tokens, comments and white space. Whoever parses a format names the parts that only its parser
 * can tell apart (texts, regular expressions, comments); what lies between them is cut here.
 *
 * T1 the tiles of a text, put together, are the text.
 * T2 a quote that belongs to no named part is refused: the parser and we would not read the same text.
 */
import type { Span } from '../text/span.ts'

export type TileKind = 'space' | 'comment' | 'word' | 'mark' | 'literal'

export type Tile = Span & { readonly kind: TileKind }

/** A part that is one tile, whatever it holds. */
export type NamedPart = Span & { readonly kind: 'comment' | 'literal' }

const SPACE = /[\s\uFEFF]/u
const WORD = /[\p{ID_Continue}$\\#@]|\u200C|\u200D/u
const QUOTES = `'"`

/** Of ASCII, once: most of a source is. */
const ASCII: readonly TileKind[] = Array.from({ length: 128 }, (_, code) => {
  return classifyCharacter(String.fromCodePoint(code))
})

/** Parts in the order of the text, none within another. Null: they are not, or T2. */
export function cutTiles(text: string, parts: readonly NamedPart[]): readonly Tile[] | null {
  const tiles: Tile[] = []
  let at = 0
  for (const { start, end, kind } of parts) {
    if (start < at || end < start || end > text.length) return null
    if (!cutBetween(text, { start: at, end: start }, tiles)) return null
    tiles.push({ start, end, kind })
    at = end
  }
  return cutBetween(text, { start: at, end: text.length }, tiles) ? tiles : null
}

function cutBetween(text: string, { start, end }: Span, tiles: Tile[]): boolean {
  for (let at = start; at < end; ) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0)
    if (QUOTES.includes(character)) return false
    const kind = classify(text.codePointAt(at) ?? 0)
    let behind = at + character.length
    // Marks stand alone: which of them belong together is for the parser to say.
    while (kind !== 'mark' && behind < end) {
      const next = text.codePointAt(behind) ?? 0
      if (classify(next) !== kind) break
      behind += next > 0xffff ? 2 : 1
    }
    tiles.push({ start: at, end: behind, kind })
    at = behind
  }
  return true
}

function classify(code: number): TileKind {
  return ASCII[code] ?? classifyCharacter(String.fromCodePoint(code))
}

function classifyCharacter(character: string): TileKind {
  if (SPACE.test(character)) return 'space'
  return WORD.test(character) ? 'word' : 'mark'
}

/** White space is one tile, however many tokens a scanner makes of it. */
export function pushTile(tiles: Tile[], tile: Tile): void {
  const last = tiles.at(-1)
  if (tile.kind === 'space' && last?.kind === 'space' && last.end === tile.start)
    tiles[tiles.length - 1] = { ...last, end: tile.end }
  else tiles.push(tile)
}
