/** Facts of State: labels, sources, owners, and who may rely on which. */
export { type Accepts, isAccepted } from './accept.ts'
export type { FactLabel } from './label.ts'
export {
  type FactOwner,
  findClaimedPattern,
  findOwner,
  NO_SOURCES,
  type Sources,
  toDrawdownPath,
} from './owner.ts'
export { type FactSource, parseFactSource, type SourceLabel } from './source.ts'
export type { StateFact } from './state-fact.ts'
