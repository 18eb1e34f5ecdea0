/** TypeScript and JavaScript, with and without JSX. */
import { err, ok } from 'rubicon-kernel'
import { nameSymbols } from '../../tree/name-symbols.ts'
import { OwnedLines } from '../../tree/owned-lines.ts'
import type { ParseResult } from '../../tree/parsed.ts'
import { cutTiles } from '../../tree/tile.ts'
import { readProgram } from './read-program.ts'
import { drawStatements } from './statements.ts'

export function parseTypeScript(text: string, name: string): ParseResult {
  const read = readProgram(text, name)
  if (!read.ok) return read
  const { program, parts } = read.value
  const tiles = cutTiles(text, parts)
  if (tiles === null)
    return err({ detail: 'its tokens and its white space do not make up its text', at: null })
  const inside = { start: text.startsWith('\uFEFF') ? 1 : 0, end: text.length }
  const source = { text, lines: new OwnedLines(text, tiles) }
  const symbols = nameSymbols(drawStatements(source, program.body, inside))
  return ok({ text, tiles, symbols, container: { inside, separator: '' } })
}
