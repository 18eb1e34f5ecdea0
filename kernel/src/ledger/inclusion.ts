/**
 * Checks Merkle proofs that someone else made (RFC 9162 §2.1.3.2 and §2.1.4.2).
 *
 * Every input may be chosen by an adversary: a proof is true or false, it never throws.
 *
 * Invariants:
 * 1. Positions are safe integers. Rounded ones would let a proof speak for a neighbouring leaf.
 * 2. Each hash that is combined has 32 bytes. Otherwise bytes could move from one side of a node
 *    to the other and hash alike.
 * 3. A proof is used up exactly: neither too short nor with hashes left over.
 */
import { isEqualBytes } from '../canonical/bytes.ts'
import type { Sha256 } from '../canonical/sha256.ts'
import { HASH_BYTES, hashNode } from './merkle.ts'

export type InclusionClaim = {
  readonly leafIndex: number
  readonly treeSize: number
  readonly leafHash: Uint8Array
  readonly proof: readonly Uint8Array[]
  readonly root: Uint8Array
}

export type ConsistencyClaim = {
  readonly size1: number
  readonly size2: number
  readonly root1: Uint8Array
  readonly root2: Uint8Array
  readonly proof: readonly Uint8Array[]
}

/** Is `leafHash` at `leafIndex` of the tree that has this size and root? */
export function verifyInclusion(claim: InclusionClaim, sha256: Sha256): boolean {
  const { leafIndex, treeSize, leafHash, proof, root } = claim
  if (!isPosition(leafIndex) || !isPosition(treeSize) || leafIndex >= treeSize) return false
  if (![leafHash, ...proof].every(isHash)) return false

  let hash = leafHash
  const climb = createClimb(leafIndex, treeSize - 1)
  for (const sibling of proof) {
    const side = climb.step()
    if (side === 'above root') return false
    hash = side === 'left' ? hashNode(sibling, hash, sha256) : hashNode(hash, sibling, sha256)
  }
  return climb.atRoot() && isEqualBytes(hash, root)
}

/**
 * Is the tree of `size1` a prefix of the tree of `size2`?
 *
 * False from size 0: anything extends an empty log, so that such a proof would prove nothing.
 */
export function verifyConsistency(claim: ConsistencyClaim, sha256: Sha256): boolean {
  const { size1, size2, root1, root2, proof } = claim
  if (!isPosition(size1) || !isPosition(size2) || size1 === 0 || size1 > size2) return false
  if (size1 === size2) return proof.length === 0 && isEqualBytes(root1, root2)

  // A perfect first tree is itself a node of the second one: the proof leaves it out.
  const [start, ...path] = isPowerOfTwo(size1) ? [root1, ...proof] : proof
  if (start === undefined || ![start, ...path].every(isHash)) return false

  let hash1 = start
  let hash2 = start
  const climb = createClimb(size1 - 1, size2 - 1)
  climb.skipRightEdges()
  for (const sibling of path) {
    const side = climb.step()
    if (side === 'above root') return false
    if (side === 'left') hash1 = hashNode(sibling, hash1, sha256)
    hash2 = side === 'left' ? hashNode(sibling, hash2, sha256) : hashNode(hash2, sibling, sha256)
  }
  return climb.atRoot() && isEqualBytes(hash1, root1) && isEqualBytes(hash2, root2)
}

type Climb = {
  /** Goes up one proof hash and says on which side that sibling stands. */
  readonly step: () => 'left' | 'right' | 'above root'
  readonly skipRightEdges: () => void
  readonly atRoot: () => boolean
}

/** The walk from a node to the root; `last` is the rightmost node of the same level. */
function createClimb(fromNode: number, fromLast: number): Climb {
  let node = fromNode
  let last = fromLast
  const climbLevel = (): void => {
    node = Math.floor(node / 2)
    last = Math.floor(last / 2)
  }
  return {
    step() {
      if (last === 0) return 'above root'
      const isLeft = node % 2 === 1 || node === last
      // A rightmost node without sibling is its own parent: it rises until it has one.
      while (isLeft && node % 2 === 0) climbLevel()
      climbLevel()
      return isLeft ? 'left' : 'right'
    },
    skipRightEdges() {
      while (node % 2 === 1) climbLevel()
    },
    atRoot: () => last === 0,
  }
}

function isPosition(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}

function isHash(bytes: Uint8Array): boolean {
  return bytes.length === HASH_BYTES
}

function isPowerOfTwo(size: number): boolean {
  let rest = size
  while (rest % 2 === 0) rest /= 2
  return rest === 1
}
