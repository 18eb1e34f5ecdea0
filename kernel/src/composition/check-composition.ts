/**
 * Whether claims can be composed under a strategy. One check for all strategies: what is allowed is a function of the strategy's table.
 *
 * C1 what one author reads nobody else redefines: a new caller and a rename are a conflict, though they write different symbols. An
 *    order does not help: it says who writes last, not that a text means what its author saw.
 * C2 members whose place is part of their meaning come from one author a container, unless an order says who is first.
 * C3 the answer does not depend on the order in which claims are given.
 * C4 claims are found by their paths; what is asked of one check, and what it answers, has a limit.
 */
import { checkOrders } from './check-order.ts'
import { checkOverlaps } from './check-overlaps.ts'
import { checkReadClaims } from './check-read-claims.ts'
import type { ClaimSet } from './claim.ts'
import { ClaimIndex } from './claim-index.ts'
import { COMPOSITION_LIMITS } from './limits.ts'
import type { CompositionProblem } from './problem.ts'
import { ProblemList } from './problem-list.ts'
import type { StrategyTree } from './strategy.ts'
import { StrategyIndex } from './strategy-of.ts'

export function checkComposition(
  strategy: StrategyTree,
  claims: readonly ClaimSet[],
): readonly CompositionProblem[] {
  const excess = findExcess(strategy, claims)
  if (excess !== null) return [excess]
  const sets = claims.toSorted(compareSets)
  const isTied = sets.some(({ key }, i) => key === sets[i + 1]?.key)
  const found = isTied ? null : findProblems(strategy, sets)
  // C3: only where there are more than are reported, or keys are the same, does it matter who is looked at first.
  if (found !== null && found.length < COMPOSITION_LIMITS.problems) return found
  return findProblems(strategy, sortSets(claims))
}

function findProblems(
  strategy: StrategyTree,
  sets: readonly ClaimSet[],
): readonly CompositionProblem[] {
  const strategies = new StrategyIndex(strategy)
  const index = new ClaimIndex(sets, strategies)
  const findings = new ProblemList()
  checkOrders(sets, strategies, findings)
  checkOverlaps(sets, index, strategies, findings)
  checkReadClaims(sets, index, strategies, findings)
  return findings.list()
}

/** C3: sets by key, and what each claims by its text. */
function sortSets(claims: readonly ClaimSet[]): readonly ClaimSet[] {
  return claims
    .map((set) => ({
      ...set,
      writes: sortClaims(set.writes),
      inserts: sortClaims(set.inserts),
      reads: sortClaims(set.reads),
      redefines: sortClaims(set.redefines),
      memberships: sortClaims(set.memberships ?? []),
    }))
    .map((set) => ({ set, text: JSON.stringify([set.artifact, set]) }))
    .sort((a, b) => compareTexts(a.set.key, b.set.key) || compareTexts(a.text, b.text))
    .map(({ set }) => set)
}

function compareTexts(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1
}

function sortClaims<T>(values: readonly T[]): readonly T[] {
  const texts = new Map(values.map((value) => [JSON.stringify(value), value]))
  return [...texts.entries()].sort(([a], [b]) => compareTexts(a, b)).map(([, value]) => value)
}

/** C4. */
function findExcess(
  { within }: StrategyTree,
  sets: readonly ClaimSet[],
): CompositionProblem | null {
  const limits = COMPOSITION_LIMITS
  const claimed = sets.reduce((sum, set) => sum + countClaims(set), 0)
  const isDeep = (set: ClaimSet): boolean =>
    [
      ...set.writes.map(({ path }) => path),
      ...set.inserts.map(({ container }) => container),
      ...set.reads.flatMap((read) => (read.kind === 'symbol' ? [read.path] : [])),
      ...set.redefines,
      ...(set.memberships ?? []),
    ].some((path) => path.length > limits.segments)
  const isTooMuch =
    sets.length > limits.sets || claimed > limits.claims || (within ?? []).length > limits.nested
  const large = isTooMuch
    ? sets.toSorted(compareClaims)[0]
    : sets.toSorted(compareSets).find(isDeep)
  if (large === undefined) return null
  const { key, artifact } = large
  return {
    kind: 'TOO_MUCH_CLAIMED',
    between: [key],
    artifact,
    path: [],
    claims: [],
    fixes: [{ kind: 'split', key }],
  }
}

/** The largest first. */
function compareClaims(one: ClaimSet, other: ClaimSet): number {
  return countClaims(other) - countClaims(one) || compareSets(one, other)
}

function compareSets(one: ClaimSet, other: ClaimSet): number {
  return compareTexts(one.key, other.key) || compareTexts(one.artifact, other.artifact)
}

function countClaims({ writes, inserts, reads, redefines, memberships }: ClaimSet): number {
  return (
    writes.length + inserts.length + reads.length + redefines.length + (memberships ?? []).length
  )
}
