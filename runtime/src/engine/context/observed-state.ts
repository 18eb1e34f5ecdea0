/** State as observations have it: what stands of each path, by authority time. */
import {
  findOwner,
  isEscalationPath,
  isIdentifier,
  isPrefixCovering,
  isPrefixMatch,
  LIMITS,
  type Sources,
  type StateFact,
  toEscalationPath,
} from 'rubicon-kernel'
import type { Store } from '../../ports/store.ts'
import { findStandingFact, type StandingFact } from './standing-fact.ts'

/** The group of all observations. */
export const STATE_GROUP = 'state'

/** What was known of a path; null: nothing. Both must still hold when it was decided on. */
export type ObservedVersion = { readonly path: string; readonly version: number | null }

export type ObservedState = {
  readonly facts: readonly StateFact[]
  readonly versions: readonly ObservedVersion[]
}

/** Who owns what, and what time it is, for one decision. */
export type ObservationBasis = { readonly sources: Sources; readonly now: string }

export async function readObservedState(
  store: Store,
  paths: readonly string[],
  { sources, now }: ObservationBasis,
): Promise<ObservedState> {
  const facts: StateFact[] = []
  const versions: ObservedVersion[] = []
  // A name that no observation can have has none.
  for (const path of paths.filter(isIdentifier)) {
    const record = await store.readRecord('observation', STATE_GROUP, path)
    versions.push({ path, version: record?.version ?? null })
    const standing =
      record === null ? null : findStandingFact(record.body, findOwner(sources, path), now)
    if (record !== null && standing !== null)
      facts.push(toStateFact(path, record.version, standing))
  }
  return { facts, versions }
}

function toStateFact(path: string, version: number, standing: StandingFact): StateFact {
  const { value, source, label, observed_at, until } = standing
  const end = until === undefined ? {} : { until }
  return { path, value, source, label, observed_at, version: String(version), ...end }
}

/**
 * Paths as they are, and for a prefix that ends in `*` every path under it that somebody observed and
 * that `reads` of the contract covers. Null: more than a context may have. What agents are asked to
 * decide stands among the observations, and is passed over: it is shown to whoever is asked.
 */
export async function expandPatterns(
  store: Store,
  patterns: readonly string[],
  reads: readonly string[],
): Promise<readonly string[] | null> {
  const paths = new Set<string>()
  for (const pattern of patterns) {
    if (!pattern.endsWith('*')) {
      if (!isEscalationPath(pattern)) paths.add(pattern)
    } else {
      for (const narrow of intersectReads(pattern, reads))
        for (const path of await listPathsUnder(store, narrow)) paths.add(path)
    }
    if (paths.size > LIMITS.contextStatePaths) return null
  }
  return [...paths].sort()
}

/** A contract without `reads` restricts nothing. */
function intersectReads(pattern: string, reads: readonly string[]): readonly string[] {
  if (reads.length === 0) return [pattern]
  return reads.flatMap((read) => {
    if (isPrefixCovering(pattern, read)) return [read]
    return isPrefixCovering(read, pattern) ? [pattern] : []
  })
}

async function listPathsUnder(store: Store, pattern: string): Promise<readonly string[]> {
  if (!pattern.endsWith('*')) return isEscalationPath(pattern) ? [] : [pattern]
  const prefix = pattern.slice(0, -1)
  if (prefix !== '' && !isIdentifier(prefix)) return []
  const limit = LIMITS.contextStatePaths + 1
  const itself = await store.readRecord('observation', STATE_GROUP, prefix)
  const found = itself === null ? [] : [prefix]
  for (let after = prefix; found.length < limit; ) {
    const page = await store.listRecords('observation', STATE_GROUP, { after, limit })
    for (const { key } of page) {
      if (!isPrefixMatch(pattern, key)) return found
      if (!isEscalationPath(key)) found.push(key)
    }
    const last = page.at(-1)?.key
    if (last === undefined || page.length < limit) return found
    // However many requests wait, they are passed over at once.
    after = isEscalationPath(last) ? lastEscalationPath : last
  }
  return found
}

/** Behind every path of a request: `~` is no character of an identifier. */
const lastEscalationPath = toEscalationPath('~')
