/** Claims of several authors that are in each other's way: writes, insertions, names, and members whose place matters. */
import type { ClaimSet, InsertClaim, SymbolPath, WriteClaim } from './claim.ts'
import { type ClaimIndex, type Filed, type Held, isLoose } from './claim-index.ts'
import { isOverlappingInsert, isOverlappingWrite, toInsertedPath } from './overlap.ts'
import type { CompositionFix, CompositionProblem, InvolvedClaim, ProblemKind } from './problem.ts'
import { type ProblemList, toKeys } from './problem-list.ts'
import type { Strategy } from './strategy.ts'
import type { StrategyIndex } from './strategy-of.ts'

export function checkOverlaps(
  sets: readonly ClaimSet[],
  index: ClaimIndex,
  strategies: StrategyIndex,
  findings: ProblemList,
): void {
  const ranks = new Map(sets.map((set, rank) => [set, rank]))
  const isLater: IsLater = (one, other) => (ranks.get(one) ?? 0) < (ranks.get(other) ?? 0)
  const isWide = strategies.hasSubtrees()
  for (const set of sets) {
    for (const held of index.writesOf.get(set) ?? []) {
      if (findings.isFull()) return
      checkWrite(held, index, isWide, findings)
    }
    for (const held of index.insertsOf.get(set) ?? []) {
      if (findings.isFull()) return
      checkInsert(held, index, findings, isLater)
    }
  }
}

type IsLater = (one: ClaimSet, other: ClaimSet) => boolean

function toFiled({ set, under }: Pick<Held<unknown>, 'set' | 'under'>): Filed {
  return isLoose(set, under) ? 'all' : 'loose'
}

function checkWrite(
  held: Held<WriteClaim>,
  index: ClaimIndex,
  isWide: boolean,
  findings: ProblemList,
): void {
  const { set, claim } = held
  const { artifact } = set
  const filed = toFiled(held)
  // What is above is looked for by what is below; what is at one path, by both.
  const parts = isWide
    ? index.parts.listOn(artifact, claim.path, filed)
    : [index.parts.get(artifact, claim.path, filed)]
  for (const rivals of [...parts, ...index.subtrees.listOn(artifact, claim.path, filed)])
    for (const rival of rivals) {
      if (findings.isFull()) return
      if (!isOther(set, rival.set)) continue
      const under = [...held.under, ...rival.under]
      const isRefused = under.some(
        (strategy) =>
          isOverlappingWrite(claim, rival.claim, strategy.granularity) &&
          !isSequence(strategy, set, rival.set),
      )
      if (isRefused)
        findings.add(
          describe('OVERLAPPING_WRITES', under, claim.path, toWrite(held), toWrite(rival)),
        )
    }
  // What is put under a path that is written, or into it.
  for (const rivals of index.inserts.listOn(artifact, claim.path, filed))
    for (const rival of rivals) checkInsertAndWrite(rival, held, findings)
}

function checkInsert(
  held: Held<InsertClaim>,
  index: ClaimIndex,
  findings: ProblemList,
  isLater: IsLater,
): void {
  const { set, claim, under } = held
  const { artifact } = set
  const filed = toFiled(held)
  const path = toInsertedPath(claim)
  for (const table of [index.subtrees, index.parts])
    for (const rivals of table.listOn(artifact, path, filed))
      for (const rival of rivals) checkInsertAndWrite(held, rival, findings)
  for (const rival of index.inserts.get(artifact, path)) {
    if (findings.isFull()) return
    if (isOther(set, rival.set) && isLater(set, rival.set))
      findings.add({
        ...describe('NAME_CLAIMED_TWICE', under, path, toInsert(held), toInsert(rival)),
        fixes: [{ kind: 'rename', key: rival.set.key, path, to: findFreeName(rival, index) }],
      })
  }
  if (claim.order === 'fixed') checkFixed(held, index, findings)
}

/** C2. */
function checkFixed(held: Held<InsertClaim>, index: ClaimIndex, findings: ProblemList): void {
  const { set, claim, under } = held
  const { artifact, key } = set
  if (set.order === undefined && under.some(({ unordered }) => unordered === 'commutative'))
    findings.add({
      ...describe('NOT_COMMUTATIVE', under, claim.container, toInsert(held)),
      fixes: under.every(({ ordered }) => ordered === 'sequence')
        ? [{ kind: 'set_order', key, order: 1 }]
        : [{ kind: 'split', key }],
    })
  for (const rival of index.fixed.get(artifact, claim.container, toFiled(held))) {
    if (findings.isFull()) return
    if (!isOther(set, rival.set) || rival.claim.segment === claim.segment) continue
    if (under.every((strategy) => isSequence(strategy, set, rival.set))) continue
    findings.add(
      describe('NOT_COMMUTATIVE', under, claim.container, toInsert(held), toInsert(rival)),
    )
  }
}

function checkInsertAndWrite(
  insert: Held<InsertClaim>,
  write: Held<WriteClaim>,
  findings: ProblemList,
): void {
  if (findings.isFull() || !isOther(insert.set, write.set)) return
  if (!isOverlappingInsert(insert.claim, write.claim)) return
  const under = [...insert.under, ...write.under]
  if (under.every((strategy) => isSequence(strategy, insert.set, write.set))) return
  const path = toInsertedPath(insert.claim)
  findings.add(describe('OVERLAPPING_WRITES', under, path, toInsert(insert), toWrite(write)))
}

/** Claims of one author on several artifacts are one proposal. */
export function isOther(one: ClaimSet, other: ClaimSet): boolean {
  return one !== other && (one.key !== other.key || one.artifact === other.artifact)
}

export function isSequence({ ordered }: Strategy, one: ClaimSet, other: ClaimSet): boolean {
  return ordered === 'sequence' && one.order !== undefined && other.order !== undefined
}

type Side = { readonly set: ClaimSet; readonly involved: InvolvedClaim }

function toWrite({ set, claim }: Held<WriteClaim>): Side {
  return { set, involved: { key: set.key, claim: 'write', path: claim.path } }
}

function toInsert({ set, claim }: Held<InsertClaim>): Side {
  return { set, involved: { key: set.key, claim: 'insert', path: toInsertedPath(claim) } }
}

function describe(
  kind: ProblemKind,
  under: readonly Strategy[],
  path: SymbolPath,
  one: Side,
  other?: Side,
): CompositionProblem {
  const { artifact, key } = one.set
  if (other === undefined)
    return { kind, between: [key], artifact, path, claims: [one.involved], fixes: [] }
  const [first, second] = one.set.key <= other.set.key ? [one, other] : [other, one]
  const between = toKeys(one.set, other.set)
  const claims = [first.involved, second.involved]
  const late = [first.set, second.set].find(({ order }) => order === undefined)
  const early = [first.set, second.set].find(({ order }) => order !== undefined)
  const isMixed =
    late !== undefined &&
    early?.order !== undefined &&
    under.some(({ ordered }) => ordered === 'sequence')
  if (isMixed && kind !== 'NAME_CLAIMED_TWICE') {
    const fixes: readonly CompositionFix[] = [
      { kind: 'set_order', key: late.key, order: (early.order ?? 0) + 1 },
    ]
    return { kind: 'ORDERED_AND_UNORDERED', between, artifact, path, claims, fixes }
  }
  const fixes: readonly CompositionFix[] = [
    { kind: 'put_first', first: first.set.key, next: second.set.key },
    { kind: 'merge_authors', keys: between },
  ]
  return { kind, between, artifact, path, claims, fixes }
}

/** A name that nobody claims in that container. */
function findFreeName({ set, claim }: Held<InsertClaim>, index: ClaimIndex): string {
  const [plain = claim.segment] = claim.segment.split('#')
  for (let ordinal = 2; ; ordinal += 1) {
    const name = `${plain}${ordinal}`
    if (index.inserts.get(set.artifact, [...claim.container, name]).length === 0) return name
  }
}
