/**
 * Imports that a change has to name, since they do something to what nobody named: a module that was not loaded before is run, one that
 * is loaded no more is not, and a name of the whole file means something else.
 *
 * M1 one more name of a module that the file loads anyway names nothing, where nothing in the file had that name.
 */
import { listImported, readImports } from '../delta/imports/read-imports.ts'
import type { ParsedText } from '../tree/parsed.ts'

/** Paths of the imports, by what stands in the text before and behind the change. */
export function listWrittenImports(before: ParsedText, after: ParsedText): readonly string[] {
  const [old, now] = [readModules(before), readModules(after)]
  const words = new Set(before.tiles.map(({ start, end }) => before.text.slice(start, end)))
  const kept = [...old.keys()].filter((path) => now.has(path))
  const order = [...now.keys()].filter((path) => old.has(path))
  const written = [...new Set([...old.keys(), ...now.keys()])].filter((path) => {
    const [was, is] = [old.get(path), now.get(path)]
    if (was === undefined || is === undefined) return true
    if (kept.indexOf(path) !== order.indexOf(path)) return true
    const added = [...is].filter(([name]) => !was.has(name))
    return (
      [...was.keys()].some((name) => !is.has(name)) || added.some(([, local]) => words.has(local))
    )
  })
  return written.sort()
}

/** By the path of a module without the number of its declaration: what is said of it, each with the name that it has in the file. */
type Modules = ReadonlyMap<string, ReadonlyMap<string, string>>

function readModules(parsed: ParsedText): Modules {
  const modules = new Map<string, Map<string, string>>()
  const read = new Map(readImports(parsed).map((one) => [one.symbol, one]))
  for (const symbol of parsed.symbols) {
    if (symbol.kind !== 'import') continue
    const path = symbol.path.replace(/#\d+$/, '')
    const said = modules.get(path) ?? new Map<string, string>()
    modules.set(path, said)
    const text = parsed.text.slice(symbol.own.start, symbol.own.end)
    const declaration = read.get(symbol)
    // What is loaded in a way of its own, or in a form that nobody here knows, is what it says.
    if (declaration === undefined || declaration.hasAttributes) {
      said.set(text, text)
      continue
    }
    const names = listImported(declaration)
    const isLoaded = names.length === 0 || names.some(({ isType }) => !isType)
    if (isLoaded) said.set('is loaded', 'import')
    for (const { imported, local, isType } of names)
      said.set(`${isType ? 'type ' : ''}${imported} as ${local}`, local)
  }
  return modules
}
