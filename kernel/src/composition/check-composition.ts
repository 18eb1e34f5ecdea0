/**
 * Whether claims can be composed under a strategy. One check for all strategies: what is allowed is a function of the strategy's table.
 *
 * C1 what one author reads nobody else redefines: a new caller and a rename are a conflict, though they write different symbols.
 * C2 members whose place is part of their meaning come from one author a container, unless an order says who is first.
 * C3 the answer does not depend on the order in which claims are given.
 */
import type { ClaimSet, ReadClaim, SymbolPath } from './claim.ts'
import {
  isOverlappingInsert,
  isOverlappingWrite,
  isSamePath,
  isWithinPath,
  toInsertedPath,
} from './overlap.ts'
import type { Strategy } from './strategy.ts'

export type CompositionProblem = {
  readonly kind:
    | 'OVERLAPPING_WRITES'
    | 'NAME_CLAIMED_TWICE'
    | 'NOT_COMMUTATIVE'
    | 'READS_WHAT_CHANGES'
    | 'ORDER_MISSING'
    | 'ORDER_TWICE'
    | 'ORDER_NOT_ALLOWED'
    | 'ORDERED_AND_UNORDERED'
  /** The keys of those that it is between, in their order. */
  readonly between: readonly string[]
  readonly artifact: string
  readonly path: SymbolPath
}

export function checkComposition(
  strategy: Strategy,
  claims: readonly ClaimSet[],
): readonly CompositionProblem[] {
  const sorted = [...claims].sort((a, b) => (a.key < b.key ? -1 : 1))
  const problems = sorted.flatMap((set) => checkOrder(strategy, set, sorted))
  for (const [i, one] of sorted.entries())
    for (const other of sorted.slice(i + 1)) problems.push(...checkPair(strategy, one, other))
  return problems
}

function checkOrder(
  { unordered, ordered }: Strategy,
  set: ClaimSet,
  all: readonly ClaimSet[],
): readonly CompositionProblem[] {
  const { key, artifact, order } = set
  const place = { between: [key], artifact, path: [] }
  if (order === undefined)
    return unordered === 'refused' ? [{ ...place, kind: 'ORDER_MISSING' }] : []
  if (ordered === 'refused') return [{ ...place, kind: 'ORDER_NOT_ALLOWED' }]
  const twin = all.find((one) => one.key > key && one.artifact === artifact && one.order === order)
  return twin === undefined
    ? []
    : [{ kind: 'ORDER_TWICE', between: [key, twin.key], artifact, path: [] }]
}

function checkPair(
  strategy: Strategy,
  one: ClaimSet,
  other: ClaimSet,
): readonly CompositionProblem[] {
  const overlaps = one.artifact === other.artifact ? findOverlaps(strategy, one, other) : []
  const found = [...overlaps, ...findStaleReads(one, other)]
  const { artifact } = one
  const between = [one.key, other.key]
  const isSequence =
    one.artifact === other.artifact && one.order !== undefined && other.order !== undefined
  return found
    .filter(({ kind }) => !(isSequence && kind !== 'NAME_CLAIMED_TWICE'))
    .map(({ kind, path }) => {
      const isMixed = (one.order === undefined) !== (other.order === undefined)
      const isOverlap = kind === 'OVERLAPPING_WRITES' || kind === 'NOT_COMMUTATIVE'
      return {
        kind: isMixed && isOverlap ? 'ORDERED_AND_UNORDERED' : kind,
        between,
        artifact,
        path,
      }
    })
}

type Found = Pick<CompositionProblem, 'kind' | 'path'>

function findOverlaps({ granularity }: Strategy, one: ClaimSet, other: ClaimSet): readonly Found[] {
  const found: Found[] = []
  for (const write of one.writes)
    for (const rival of other.writes)
      if (isOverlappingWrite(write, rival, granularity))
        found.push({ kind: 'OVERLAPPING_WRITES', path: write.path })
  for (const [set, rivals] of [
    [one, other],
    [other, one],
  ] as const)
    for (const insert of set.inserts)
      for (const write of rivals.writes)
        if (isOverlappingInsert(insert, write))
          found.push({ kind: 'OVERLAPPING_WRITES', path: toInsertedPath(insert) })
  for (const insert of one.inserts)
    for (const rival of other.inserts) {
      if (!isSamePath(insert.container, rival.container)) continue
      if (insert.segment === rival.segment)
        found.push({ kind: 'NAME_CLAIMED_TWICE', path: toInsertedPath(insert) })
      else if (insert.order === 'fixed' && rival.order === 'fixed')
        found.push({ kind: 'NOT_COMMUTATIVE', path: insert.container })
    }
  return found
}

/** C1, both ways. */
function findStaleReads(one: ClaimSet, other: ClaimSet): readonly Found[] {
  const found: Found[] = []
  for (const [reader, writer] of [
    [one, other],
    [other, one],
  ] as const)
    for (const read of reader.reads)
      if (read.kind === 'symbol' && isReadChanged(read, reader.artifact, writer))
        found.push({ kind: 'READS_WHAT_CHANGES', path: read.path })
  return found
}

/** Whoever relies on a header does not mind what is put behind it. */
function isReadChanged(
  { artifact, path, part }: Extract<ReadClaim, { kind: 'symbol' }>,
  own: string,
  writer: ClaimSet,
): boolean {
  if ((artifact ?? own) !== writer.artifact) return false
  if (writer.redefines.some((changed) => isWithinPath(path, changed))) return true
  return part === 'definition' && hasPath(writer.memberships ?? [], path)
}

function hasPath(paths: readonly SymbolPath[], path: SymbolPath): boolean {
  return paths.some((one) => isSamePath(one, path))
}
