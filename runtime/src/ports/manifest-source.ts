import type { Entry } from 'rubicon-kernel'

/**
 * Where the authority of a tenant is read from: its own store, or a registry elsewhere.
 *
 * M1 entries are those of the tenant's authority trajectory, contiguous and in order.
 * M2 what was answered once is never taken back: `head` does not fall.
 * M3 a call that cannot be answered rejects; it does not answer with less.
 * M4 what is recalled was answered before, by the source itself, so long ago and not later.
 */
export interface ManifestSource {
  /** The last seq; -1 when there is nothing yet. */
  head(): Promise<number>
  /** At most `limit` entries, the one with seq `from` first. */
  entries(from: number, limit: number): Promise<readonly Entry[]>
  /** For whoever starts while nobody answers: everything that was answered last, where it was kept. */
  loadKept?(): Promise<RecalledManifest | null>
}

/** An answer of earlier. */
export type RecalledManifest = {
  /** All of them, from the first. */
  readonly entries: readonly Entry[]
  /** How long ago the source answered. */
  readonly age_ms: number
}
