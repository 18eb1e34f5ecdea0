import { WorldMoments } from 'rubicon-runtime/evidence'
import { SlowReads } from '../turns/slow-reads.ts'
import { SlowSlices } from '../turns/slow-slices.ts'
import type { LookupParts } from './lookup.ts'

/** Worlds of the past, remembered once for all who look at them. */
export type PastWorlds = {
  readonly past: SlowReads
  readonly moments: WorldMoments
  /** For others who have Worlds folded. */
  readonly slices: SlowSlices
}

export function createPastWorlds({
  store,
  clock,
}: Pick<LookupParts, 'store' | 'clock'>): PastWorlds {
  const slices = new SlowSlices(clock)
  const past = new SlowReads(clock, slices)
  return { past, moments: new WorldMoments(store, past.createPause()), slices }
}
