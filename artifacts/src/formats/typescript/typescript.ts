/** TypeScript and JavaScript, with and without JSX. */
import { err, ok } from 'rubicon-kernel'
import { nameSymbols } from '../../tree/name-symbols.ts'
import { OwnedLines } from '../../tree/owned-lines.ts'
import type { ParseResult } from '../../tree/parsed.ts'
import { cutTiles } from '../../tree/tile.ts'
import type { Format } from '../format.ts'
import { TypescriptNames } from './bind/typescript-names.ts'
import { readProgram } from './read-program.ts'
import { drawStatements } from './statements.ts'

/** How a text is read depends on what it is: only some of them have types, and only some have elements. */
export const TYPESCRIPT_FORMATS: readonly Format[] = [
  createFormat('text/typescript', 'a.ts', ['.ts', '.mts', '.cts']),
  createFormat('text/typescript', 'a.d.ts', ['.d.ts', '.d.mts', '.d.cts']),
  createFormat('text/tsx', 'a.tsx', ['.tsx']),
  createFormat('text/javascript', 'a.jsx', ['.js', '.mjs', '.cjs', '.jsx']),
]

function createFormat(media: string, name: string, endings: readonly string[]): Format {
  const parse = (text: string): ParseResult => parseProgram(text, name)
  const names = new TypescriptNames(name)
  return {
    type: 'code',
    media,
    endings,
    indentation: 'free',
    imports: 'ecmascript',
    parse,
    names,
    findReferences: (parsed, within) => names.findReferences(parsed, within),
    findOccurrences: (parsed, path) => names.findOccurrences(parsed, path),
  }
}

function parseProgram(text: string, name: string): ParseResult {
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
