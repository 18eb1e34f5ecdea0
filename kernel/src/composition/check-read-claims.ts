/** C1: nobody redefines what another relies on; and two that redefine one symbol, each from elsewhere, do not know of each other. */
import { isOther, isSequence } from './check-overlaps.ts'
import type { ClaimSet, ReadClaim, SymbolPath } from './claim.ts'
import { type ClaimIndex, isLoose } from './claim-index.ts'
import { isSamePath } from './overlap.ts'
import { type ProblemList, toKeys } from './problem-list.ts'
import type { StrategyIndex } from './strategy-of.ts'

export function checkReadClaims(
  sets: readonly ClaimSet[],
  index: ClaimIndex,
  strategies: StrategyIndex,
  findings: ProblemList,
): void {
  for (const set of sets)
    for (const read of set.reads)
      if (read.kind === 'symbol') checkRead(set, read, index, strategies, findings)
  for (const set of sets)
    for (const path of set.redefines) checkRedefined(set, path, index, strategies, findings)
}

type SymbolRead = Extract<ReadClaim, { kind: 'symbol' }>

function checkRead(
  reader: ClaimSet,
  { artifact = reader.artifact, path, part }: SymbolRead,
  index: ClaimIndex,
  strategies: StrategyIndex,
  findings: ProblemList,
): void {
  const strategy = strategies.findOf(artifact, path)
  // Of its own target it relies on what those before it in the order leave.
  const isFollowing = !isLoose(reader, [strategy]) && isOwnTarget(reader, path)
  const filed = isFollowing ? 'loose' : 'all'
  // Whoever relies on a header does not mind what is put behind it.
  const members = part === 'definition' ? index.memberships.get(artifact, path, filed) : []
  for (const writers of [...index.redefines.listOn(artifact, path, filed), members])
    for (const writer of writers) {
      if (findings.isFull()) return
      if (!isOther(reader, writer)) continue
      if (isFollowing && isSequence(strategy, reader, writer)) continue
      findings.add({
        kind: 'READS_WHAT_CHANGES',
        between: toKeys(reader, writer),
        artifact,
        path,
        claims: [
          { key: reader.key, claim: 'read', path },
          { key: writer.key, claim: 'redefine', path },
        ],
        fixes: [{ kind: 'put_first', first: writer.key, next: reader.key }],
      })
    }
}

function isOwnTarget({ writes, inserts }: ClaimSet, path: SymbolPath): boolean {
  return (
    writes.some((write) => isSamePath(write.path, path)) ||
    inserts.some(({ container }) => isSamePath(container, path))
  )
}

/** An enum that one adds to and another removes from: what its members stand for depends on both. */
function checkRedefined(
  set: ClaimSet,
  path: SymbolPath,
  index: ClaimIndex,
  strategies: StrategyIndex,
  findings: ProblemList,
): void {
  const { artifact } = set
  const strategy = strategies.findOf(artifact, path)
  const filed = isLoose(set, [strategy]) ? 'all' : 'loose'
  for (const other of index.redefines.get(artifact, path, filed)) {
    if (findings.isFull()) return
    if (!isOther(set, other) || isSequence(strategy, set, other)) continue
    if (findings.hasBetween(set, other)) continue
    const between = toKeys(set, other)
    findings.add({
      kind: 'NOT_COMMUTATIVE',
      between,
      artifact,
      path,
      claims: between.map((key) => ({ key, claim: 'redefine', path })),
      fixes: [
        { kind: 'put_first', first: between[0] ?? set.key, next: between[1] ?? other.key },
        { kind: 'merge_authors', keys: between },
      ],
    })
  }
}
