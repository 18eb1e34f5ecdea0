/** Every lookup, over one store. */
import { createCheckedStore } from 'rubicon-runtime/engine/rows'
import { createArtifactLookups } from './artifacts/artifact-lookups.ts'
import { createDecisionLookups } from './decisions.ts'
import { createEntryLookups } from './entries.ts'
import { createEpisodeLookups } from './episodes.ts'
import { createExecutionLookups } from './executions.ts'
import { createFlowLookups } from './flows.ts'
import type { LookupParts, Lookups, LookupTable } from './lookup.ts'
import { createOverviewLookups } from './overview.ts'
import { createPastWorlds } from './past-worlds.ts'
import { Search } from './search.ts'
import { createSizeLookups } from './store-size.ts'
import { createTopicEventLookups } from './topic-events.ts'
import { createTrajectoryLookups } from './trajectories.ts'
import { createWorldLookups } from './world.ts'

export function createLookupTable(
  given: LookupParts,
  search: Search = createSearch(given),
): LookupTable {
  const parts = { ...given, store: createCheckedStore(given.store, given.sha256) }
  const worlds = createPastWorlds(parts)
  return {
    ...createOverviewLookups(parts, search),
    ...createFlowLookups(parts, search),
    ...createExecutionLookups(parts, search),
    ...createDecisionLookups(parts),
    ...createEpisodeLookups(parts),
    ...createEntryLookups(parts, search),
    ...createTrajectoryLookups(parts),
    ...createWorldLookups(parts, worlds),
    ...createArtifactLookups(parts, worlds),
    ...createTopicEventLookups(parts),
    ...createSizeLookups(parts),
  }
}

/** Over entries that fit their own hashes. */
export function createSearch(given: LookupParts): Search {
  return new Search({ ...given, store: createCheckedStore(given.store, given.sha256) })
}

/** In the thread that asks: for stores that live in it, and in tests. */
export function createLocalLookups(parts: LookupParts): Lookups {
  const table = createLookupTable(parts)
  return { answer: (name, question) => table[name](question) }
}
