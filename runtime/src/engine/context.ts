/** What every part of the engine works with: what it needs from outside, and what it remembers. */
import type { AuthorityCache } from './authority-cache.ts'
import type { Deps } from './deps.ts'
import type { InFlight } from './in-flight.ts'
import type { LayerSweep } from './layers/layer-sweep.ts'
import type { SendTimes } from './send-times.ts'
import type { SnapshotCache } from './snapshot-cache.ts'
import type { WritCache } from './writ-cache.ts'

/**
 * Who carries out what was decided: whoever decided it, in the same unit (`inline`); this process, in
 * units of their own (`separate`); or another process that shares the store (`elsewhere`).
 */
export type Executors = 'inline' | 'separate' | 'elsewhere'

export type Context = Deps & {
  readonly authorities: AuthorityCache
  readonly writs: WritCache
  readonly snapshots: SnapshotCache
  readonly sweep: LayerSweep
  readonly inFlight: InFlight
  readonly sends: SendTimes
  readonly executors: Executors
}
