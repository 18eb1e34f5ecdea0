/**
 * The full names of what a change writes: what scopes are held against, and what a person reads who is asked.
 *
 * N1 what is written by its path, what is put in by the path that it gets. A rename writes every symbol in whose text the name stands.
 * N2 imports follow from what needs them: they name nothing beside it, but for those that do something to the rest of the file. What
 *    changes nothing but imports, or what belongs to no symbol, names the artifact.
 */
import type { ClaimSet, SymbolPath } from 'rubicon-kernel'
import { toPathText } from '../claims/symbol-segments.ts'
import type { ParsedText } from '../tree/parsed.ts'
import { listWrittenImports } from './name-imports.ts'

/** All that a change writes; the texts are those that it lies between. */
export function nameChange(claims: ClaimSet, before: ParsedText, after: ParsedText): string[] {
  const symbols = nameSymbols(claims)
  const { artifact } = claims
  if (symbols.includes(artifact)) return [...symbols]
  const imports = listWrittenImports(before, after).map((path) => formatName(artifact, [path]))
  return [...new Set([...symbols, ...imports])].sort()
}

export function nameSymbols({ artifact, writes, inserts }: ClaimSet): readonly string[] {
  const paths = [
    ...writes.map(({ path }) => path),
    ...inserts.map(({ container, segment }) => [...container, segment]),
  ].filter((path) => !isImport(path))
  const names = new Set(paths.map((path) => formatName(artifact, path)))
  return names.size === 0 ? [artifact] : [...names].sort()
}

/** `src/auth.ts class:AuthService/method:login`; of the artifact itself, its name alone. */
export function formatName(artifact: string, path: SymbolPath): string {
  return path.length === 0 ? artifact : `${artifact} ${toPathText(path)}`
}

function isImport([first]: SymbolPath): boolean {
  return first?.startsWith('import:') ?? false
}

/** Whether it is the name of an import. */
export function isImportName(name: string): boolean {
  return name.slice(name.indexOf(' ') + 1).startsWith('import:')
}

/** Whether each lies in one of the others, or is one of them. */
export function isWithinNames(names: readonly string[], holders: readonly string[]): boolean {
  return names.every((name) =>
    holders.some((holder) => {
      const rest = name.startsWith(holder) ? name.slice(holder.length) : null
      // Of an artifact the first symbol is behind a space, of a symbol the next one behind a slash.
      return rest === '' || rest?.startsWith(holder.includes(' ') ? '/' : ' ') === true
    }),
  )
}
