import { WorldMoments } from 'rubicon-runtime/evidence'
import { SlowReads } from '../turns/slow-reads.ts'
import type { LookupParts } from './lookup.ts'

/** Worlds of the past, remembered once for all who look at them. */
export type PastWorlds = { readonly past: SlowReads; readonly moments: WorldMoments }

export function createPastWorlds({
  store,
  clock,
}: Pick<LookupParts, 'store' | 'clock'>): PastWorlds {
  const past = new SlowReads(clock)
  return { past, moments: new WorldMoments(store, past.createPause()) }
}
