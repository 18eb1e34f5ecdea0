/** Which claims stand in each other's way. */
import type { InsertClaim, SymbolPath, WriteClaim } from './claim.ts'

export type Granularity = 'subtree' | 'node' | 'attribute'

export function isSamePath(one: SymbolPath, other: SymbolPath): boolean {
  return one.length === other.length && isWithinPath(one, other)
}

/** It is the other one, or lies in it. */
export function isWithinPath(path: SymbolPath, holder: SymbolPath): boolean {
  return holder.length <= path.length && holder.every((segment, i) => path[i] === segment)
}

/**
 * `subtree`: one that lies in what the other writes. `node`: one and the same symbol. `attribute`: one and the same part of it. What
 * writes a whole subtree overlaps with everything in it at any granularity: there is nothing left of it.
 */
export function isOverlappingWrite(
  one: WriteClaim,
  other: WriteClaim,
  granularity: Granularity,
): boolean {
  if (one.part === 'subtree' && isWithinPath(other.path, one.path)) return true
  if (other.part === 'subtree' && isWithinPath(one.path, other.path)) return true
  if (granularity === 'subtree')
    return isWithinPath(one.path, other.path) || isWithinPath(other.path, one.path)
  return isSamePath(one.path, other.path) && (granularity === 'node' || one.part === other.part)
}

/** What is put into something that the other takes away or writes anew, or under a name that the other claims. */
export function isOverlappingInsert(insert: InsertClaim, write: WriteClaim): boolean {
  const path = toInsertedPath(insert)
  if (write.part === 'subtree' || write.part === 'value')
    return isWithinPath(path, write.path) || isWithinPath(write.path, path)
  return isSamePath(path, write.path)
}

export function toInsertedPath({ container, segment }: InsertClaim): SymbolPath {
  return [...container, segment]
}
