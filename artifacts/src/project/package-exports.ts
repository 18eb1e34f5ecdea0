/** What `exports` and `imports` of a package name, as Node reads them. */
import { isObject, type JsonObject, type JsonValue } from 'rubicon-kernel/canonical'

/** Conditions that hold here. Of an object the first key that holds counts. */
const CONDITIONS: ReadonlySet<string> = new Set(['types', 'import', 'node', 'default'])

/** Targets, in the order in which they are tried: `./src/index.ts`. */
export function listPackageTargets(manifest: JsonObject, subpath: string): readonly string[] {
  const exported = manifest.exports
  if (exported !== undefined && exported !== null) return listTargets(toTable(exported), subpath)
  if (subpath !== '.') return [subpath]
  const named = ['types', 'module', 'main'].map((key) => manifest[key])
  return [...named.filter((value) => typeof value === 'string'), './index']
}

/** Of a name that begins with `#`. */
export function listInternalTargets(manifest: JsonObject, name: string): readonly string[] {
  const imports = manifest.imports
  return isObject(imports) ? listTargets(imports, name) : []
}

/** A package with one entrance may name it without a table. */
function toTable(exported: JsonValue): JsonObject {
  const isTable = isObject(exported) && Object.keys(exported).some((key) => key.startsWith('.'))
  return isTable ? exported : { '.': exported }
}

/** A name that is there as it is comes before patterns, and of them the longest beginning. */
function listTargets(table: JsonObject, name: string): readonly string[] {
  const exact = table[name]
  if (exact !== undefined) return listChosen(exact)
  const patterns = Object.keys(table).filter((key) => key.includes('*'))
  const byLength = patterns.sort((a, b) => b.indexOf('*') - a.indexOf('*'))
  for (const pattern of byLength) {
    const within = matchPattern(pattern, name)
    if (within === null) continue
    return listChosen(table[pattern] ?? null).map((target) => target.replaceAll('*', within))
  }
  return []
}

/** What stands for the star; null: it is not of that pattern. */
export function matchPattern(pattern: string, name: string): string | null {
  const [before = '', behind = ''] = pattern.split('*', 2)
  const fits = name.startsWith(before) && name.endsWith(behind)
  if (!fits || name.length < before.length + behind.length) return null
  return name.slice(before.length, name.length - behind.length)
}

function listChosen(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap((one: JsonValue) => listChosen(one))
  if (!isObject(value)) return []
  const key = Object.keys(value).find((condition) => CONDITIONS.has(condition))
  return key === undefined ? [] : listChosen(value[key] ?? null)
}
