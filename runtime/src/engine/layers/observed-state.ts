/**
 * State as observations have it. A configured source comes first, for the paths that it knows; for
 * the others what was observed last stands. So nobody can talk over a source that is asked directly.
 */
import { isIdentifier, LIMITS, matchesPrefix, type StateFact } from 'rubicon-kernel'
import type { StoredRecord } from '../../ports/record.ts'
import type { Store } from '../../ports/store.ts'

/** The group of all observations. */
export const STATE_GROUP = 'state'

/** What was known of a path; null: nothing. Both must still hold when it was decided on. */
export type ObservedVersion = { readonly path: string; readonly version: number | null }

export type ObservedState = {
  readonly facts: readonly StateFact[]
  readonly versions: readonly ObservedVersion[]
}

export async function observedState(
  store: Store,
  paths: readonly string[],
): Promise<ObservedState> {
  const facts: StateFact[] = []
  const versions: ObservedVersion[] = []
  // A name that no observation can have has none.
  for (const path of paths.filter(isIdentifier)) {
    const record = await store.record('observation', STATE_GROUP, path)
    versions.push({ path, version: record?.version ?? null })
    if (record !== null) facts.push(factOf(record))
  }
  return { facts, versions }
}

function factOf({ key, version, body }: StoredRecord<'observation'>): StateFact {
  const { value, source, label, observed_at } = body
  return { path: key, value, source, label, observed_at, version: String(version) }
}

/**
 * Paths as they are, and for a prefix that ends in `*` every path under it that somebody observed.
 * Null: more than a context may have.
 */
export async function writtenOut(
  store: Store,
  patterns: readonly string[],
): Promise<readonly string[] | null> {
  const paths = new Set<string>()
  for (const pattern of patterns) {
    const found = pattern.endsWith('*') ? await under(store, pattern) : [pattern]
    for (const path of found) paths.add(path)
    if (paths.size > LIMITS.contextStatePaths) return null
  }
  return [...paths].sort()
}

async function under(store: Store, pattern: string): Promise<readonly string[]> {
  const prefix = pattern.slice(0, -1)
  if (prefix !== '' && !isIdentifier(prefix)) return []
  const limit = LIMITS.contextStatePaths + 1
  const itself = await store.record('observation', STATE_GROUP, prefix)
  const longer = await store.records('observation', STATE_GROUP, { after: prefix, limit })
  const found = longer.map(({ key }) => key).filter((key) => matchesPrefix(pattern, key))
  return itself === null ? found : [prefix, ...found]
}
