/**
 * How several authors may work on one container. A strategy is data: one check serves all of them.
 *
 * | strategy | writes that overlap | members that are fixed | order |
 * |---|---|---|---|
 * | SingleWriter | refused, by subtree | one author a container | none |
 * | CommutativeBatch | refused, by node | refused | none |
 * | Ordered | allowed, one after the other | one after the other | each has one, no two the same |
 * | Hybrid | by whether they have an order: between the two groups refused | as its group | of those that have one |
 */
import type { SymbolPath } from './claim.ts'
import type { Granularity } from './overlap.ts'

export type StrategyName = 'SingleWriter' | 'CommutativeBatch' | 'Ordered' | 'Hybrid'

export type Strategy = {
  /** What counts as the same place: a symbol with all in it, a symbol, or a part of one. */
  readonly granularity: Granularity
  /** What those may do that have no order: nothing (each must have one), disjoint claims, or claims that commute. */
  readonly unordered: 'refused' | 'disjoint' | 'commutative'
  /** Whether claims with an order may follow one another on the same symbol. */
  readonly ordered: 'refused' | 'sequence'
}

/** Of what lies in one container, and in no container within it that names a strategy of its own. */
export type ContainerStrategy = {
  /** Absent: in every artifact. */
  readonly artifact?: string
  readonly path: SymbolPath
  readonly strategy: Strategy
}

/** The strategy of everything, but for containers that name another. */
export type StrategyTree = Strategy & {
  /** Containers that have another. */
  readonly within?: readonly ContainerStrategy[]
}

export const STRATEGIES: Readonly<Record<StrategyName, Strategy>> = {
  SingleWriter: { granularity: 'subtree', unordered: 'disjoint', ordered: 'refused' },
  CommutativeBatch: { granularity: 'node', unordered: 'commutative', ordered: 'refused' },
  Ordered: { granularity: 'attribute', unordered: 'refused', ordered: 'sequence' },
  Hybrid: { granularity: 'attribute', unordered: 'commutative', ordered: 'sequence' },
}
