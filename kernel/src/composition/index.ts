/** Work of several authors on one artifact: what each claims, and whether it can be put together. */
export { type CompositionProblem, checkComposition } from './check-composition.ts'
export type {
  ClaimSet,
  InsertClaim,
  ReadClaim,
  SymbolPath,
  WriteClaim,
  WrittenPart,
} from './claim.ts'
export type { Granularity } from './overlap.ts'
export { STRATEGIES, type Strategy, type StrategyName } from './strategy.ts'
