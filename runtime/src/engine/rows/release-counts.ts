/**
 * How often effects on a resource were settled, which frees it. A decision that asks a source reads that count first, and
 * its dispatch guards it: what a source said before somebody else's effect on the same resource was over
 * may have become false by that, and a resource that is free again does not show it.
 *
 * 1. A count only rises, so that no count that was read can come back.
 * 2. Resources share a fixed number of counters, by their hashes: rows do not grow with the resources that were ever
 *    named. Whoever shares one with others is judged again for their sake, and never refused for it.
 */
import { hashText, type ResourceNeed, type Sha256 } from 'rubicon-kernel'
import type { Guard, Store, Write } from '../../ports/store.ts'

/** By counter. */
export type ReleaseCounts = ReadonlyMap<string, number>

/** Of a resource's hash, in hex: 65,536 counters. */
const DIGITS = 4

/** There is no space in the names of budgets. */
export function toReleaseCounter(resource: string, sha256: Sha256): string {
  return `released ${hashText(resource, sha256).slice(0, DIGITS)}`
}

export async function readReleases(
  store: Store,
  resources: readonly string[],
  sha256: Sha256,
): Promise<ReleaseCounts> {
  const counts = new Map<string, number>()
  for (const id of listCounters(resources, sha256)) counts.set(id, await store.readCounter(id))
  return counts
}

/** With the outcome of an effect. */
export function countReleases(needs: readonly ResourceNeed[], sha256: Sha256): readonly Write[] {
  const resources = needs.map(({ id }) => id)
  return listCounters(resources, sha256).map((id) => ({ kind: 'count', id, by: 1 }))
}

/** No effect on these resources was settled since. One that nobody looked at before never holds. */
export function buildReleaseGuards(
  needs: readonly ResourceNeed[],
  counts: ReleaseCounts,
  sha256: Sha256,
): readonly Guard[] {
  const resources = needs.map(({ id }) => id)
  return listCounters(resources, sha256).map((id) => {
    return { kind: 'counter', id, by: 0, limit: counts.get(id) ?? -1 }
  })
}

function listCounters(resources: readonly string[], sha256: Sha256): readonly string[] {
  return [...new Set(resources.map((resource) => toReleaseCounter(resource, sha256)))]
}
