/** Work of several authors on one artifact: what each claims, and whether it can be put together. */
export { checkComposition } from './check-composition.ts'
export type {
  ClaimSet,
  InsertClaim,
  ReadClaim,
  SymbolPath,
  WriteClaim,
  WrittenPart,
} from './claim.ts'
export { COMPOSITION_LIMITS } from './limits.ts'
export type { Granularity } from './overlap.ts'
export type { CompositionFix, CompositionProblem, InvolvedClaim, ProblemKind } from './problem.ts'
export {
  type ContainerStrategy,
  STRATEGIES,
  type Strategy,
  type StrategyName,
  type StrategyTree,
} from './strategy.ts'
