/** What the lookups use of the search index. */
export { encodePlace, type Filter, type FilterProblem, isSearch, parseFilter } from './filter.ts'
export { OUTCOMES } from './fold-entry.ts'
export { HAPPENINGS } from './fold-happening.ts'
export type { ListName } from './lists.ts'
export {
  computeOverview,
  type HappenedEvent,
  type OutcomeCounts,
  type SearchedOverview,
  toShownAmount,
  toText,
  type WaitingRequest,
} from './overview.ts'
export {
  COUNTED,
  countRows,
  type FilterCounts,
  type FoundRows,
  findRows,
  listMeasures,
  readFlowFacts,
} from './query.ts'
export { type Indexed, SearchIndex } from './search-index.ts'
