/** One artifact of a project: its text, and what its format makes of it. */
import type { Format } from '../formats/format.ts'
import type { ModuleLinks } from '../formats/module-links.ts'
import type { ParsedText, ParseProblem } from '../tree/parsed.ts'
import type { SymbolNode } from '../tree/symbol-node.ts'

export type ProjectArtifact = {
  /** Its place, with slashes, from the root of the project: `src/auth.ts`. */
  readonly name: string
  readonly text: string
  /** Null: nothing reads it. */
  readonly format: Format | null
  /** Null: it is no text of its format, and `problem` says why. */
  readonly parsed: ParsedText | null
  readonly problem: ParseProblem | null
  /** Null: it is no module. */
  readonly links: ModuleLinks | null
}

export function readArtifact(
  name: string,
  text: string,
  format: Format | undefined,
): ProjectArtifact {
  const empty = { name, text, parsed: null, problem: null, links: null }
  if (format === undefined) return { ...empty, format: null }
  const result = format.parse(text)
  if (!result.ok) return { ...empty, format, problem: result.error }
  const parsed = result.value
  return { ...empty, format, parsed, links: format.readLinks?.(parsed) ?? null }
}

/** A symbol before what is in it, in the order of the text. */
export function listSymbols(symbols: readonly SymbolNode[]): readonly SymbolNode[] {
  const found: SymbolNode[] = []
  const open = [...symbols].reverse()
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    found.push(next)
    for (const child of [...next.children].reverse()) open.push(child)
  }
  return found
}

/** Whether a word stands in it as a token or as a text: without it nothing in it can go by that name. */
export function hasWord({ parsed, text }: ProjectArtifact, word: string): boolean {
  if (!text.includes(word)) return false
  if (parsed === null) return true
  return parsed.tiles.some(({ kind, start, end }) => {
    if (kind !== 'word' && kind !== 'literal') return false
    const tile = text.slice(start, end)
    return tile === word || (kind === 'literal' && tile.slice(1, -1) === word)
  })
}
