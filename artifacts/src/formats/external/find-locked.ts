/** Which root a specifier means, and what has to be looked at when roots change. */
import { toPackageName } from './external-name.ts'
import type { LockedModule, LockedModules } from './read-lock.ts'

export type Externals = { readonly packages: LockedModules; readonly builtins: LockedModules }

/** A specifier in an artifact, as `a/b` in `src/x.ts`. */
export type ExternalUse = { readonly artifact: string; readonly from: string }

export type ChangedModule = {
  readonly name: string
  readonly before: LockedModule | null
  readonly after: LockedModule | null
  /** Which artifacts refer to it, now or before. */
  readonly referrers: readonly string[]
}

/** From the folder of an artifact upwards, as Node looks; what the platform brings counts before all. */
export function findLocked(
  { packages, builtins }: Externals,
  { artifact, from }: ExternalUse,
): LockedModule | null {
  const name = toPackageName(from)
  if (name === null) return null
  const builtin = builtins.get(from)
  if (builtin !== undefined) return builtin
  const folders = artifact.split('/').slice(0, -1)
  for (let depth = folders.length; depth >= 0; depth -= 1) {
    const place = [...folders.slice(0, depth), 'node_modules', name].join('/')
    const found = packages.get(place)
    if (found !== undefined) return found
  }
  return null
}

/** Roots that an artifact means another of now than before, with the artifacts that do. */
export function listChangedModules(
  before: Externals,
  after: Externals,
  uses: readonly ExternalUse[],
): readonly ChangedModule[] {
  const changed = new Map<string, ChangedModule & { readonly referrers: string[] }>()
  for (const use of uses) {
    const [old, now] = [findLocked(before, use), findLocked(after, use)]
    if (old?.hash === now?.hash) continue
    const key = `${old?.hash} ${now?.hash}`
    const name = now?.name ?? old?.name ?? use.from
    const entry = changed.get(key) ?? { name, before: old, after: now, referrers: [] }
    if (!entry.referrers.includes(use.artifact)) entry.referrers.push(use.artifact)
    changed.set(key, entry)
  }
  return [...changed.values()]
}
