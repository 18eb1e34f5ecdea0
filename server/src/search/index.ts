/** What the lookups use of the search index. */
export {
  computeActivityStep,
  type FoundActivity,
  type FoundAgents,
  listAgentActivity,
} from './agent-activity.ts'
export { COUNTED, countRows, type FilterCounts } from './count-rows.ts'
export { encodePlace, type Filter, type FilterProblem, isSearch, parseFilter } from './filter.ts'
export { ASKED_OUTCOMES, OUTCOMES } from './fold-entry.ts'
export { HAPPENINGS } from './fold-happening.ts'
export type { Indexed } from './indexed.ts'
export type { ListName } from './lists.ts'
export { refuseMovedPage } from './moved-page.ts'
export {
  type AllowedAmount,
  computeOverview,
  computeSpan,
  type HappenedEvent,
  type OutcomeCounts,
  RANGES,
  type SearchedOverview,
  toShownAmount,
  toText,
  type WaitingRequest,
} from './overview.ts'
export {
  type FoundRows,
  findRows,
  listMeasures,
  readEffectFacts,
  readFlowFacts,
} from './query.ts'
export { SearchIndex } from './search-index.ts'
