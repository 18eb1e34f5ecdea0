/** Every lookup, over one store. */
import { decisionLookups } from './decisions.ts'
import { entryLookups } from './entries.ts'
import { executionLookups } from './executions.ts'
import { flowLookups } from './flows.ts'
import type { LookupParts, Lookups, LookupTable } from './lookup.ts'
import { trajectoryLookups } from './trajectories.ts'
import { worldLookups } from './world.ts'

export function lookupTable(parts: LookupParts): LookupTable {
  return {
    ...flowLookups(parts),
    ...executionLookups(parts),
    ...decisionLookups(parts),
    ...entryLookups(parts),
    ...trajectoryLookups(parts),
    ...worldLookups(parts),
  }
}

/** In the thread that asks: for stores that live in it, and in tests. */
export function lookupsHere(parts: LookupParts): Lookups {
  const table = lookupTable(parts)
  return { answer: (name, question) => table[name](question) }
}
