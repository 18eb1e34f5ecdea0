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
export type { CompositionProblem } from './problem.ts'
export { STRATEGIES, type StrategyTree } from './strategy.ts'
