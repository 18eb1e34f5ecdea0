/** The tokens of YAML, as its lexer cuts them: they tile the text. */
import { CST, Lexer } from 'yaml'
import { pushTile, type Tile, type TileKind } from '../../tree/tile.ts'

/** Signs that the lexer puts among the tokens, and that no text has. */
const DOCUMENT = '\u0002'
const SCALAR = '\u001f'

export function cutYamlTiles(text: string): readonly Tile[] {
  const tiles: Tile[] = []
  let at = 0
  let isScalar = false
  for (const token of new Lexer().lex(text)) {
    if (token === DOCUMENT || token === '\u0018') continue
    if (token === SCALAR) {
      isScalar = true
      continue
    }
    if (token !== '') {
      const kind = isScalar ? 'literal' : toTileKind(token)
      // Of a block of text, the line breaks behind its last line are those of the lines around it.
      const length = isScalar ? token.trimEnd().length : token.length
      if (length > 0) pushTile(tiles, { start: at, end: at + length, kind })
      if (length < token.length)
        pushTile(tiles, { start: at + length, end: at + token.length, kind: 'space' })
    }
    at += token.length
    isScalar = false
  }
  return tiles
}

function toTileKind(token: string): TileKind {
  switch (CST.tokenType(token)) {
    case 'byte-order-mark':
    case 'space':
    case 'newline':
      return 'space'
    case 'comment':
      return 'comment'
    case 'single-quoted-scalar':
    case 'double-quoted-scalar':
    case 'block-scalar-header':
      return 'literal'
    case 'anchor':
    case 'alias':
    case 'tag':
    case 'directive-line':
      return 'word'
    default:
      return 'mark'
  }
}
