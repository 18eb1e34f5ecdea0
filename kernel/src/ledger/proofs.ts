/**
 * Makes Merkle proofs (RFC 6962 §2.1.1 and §2.1.2). The checks stand in `inclusion.ts`.
 *
 * The functions ask only for perfect subtrees inside the tree. The ragged right edge changes with
 * every append, so that nothing of it is stored and all of it is computed here.
 */
import { assert } from '../assert.ts'
import type { Sha256 } from '../canonical/sha256.ts'
import { findPowerOfTwoBelow, hashNode } from './merkle.ts'

/** The hash of the perfect subtree of 2^level leaves that starts at leaf index * 2^level. */
export type NodeReader = (level: number, index: number) => Uint8Array

/**
 * A stored hash at tree level 8, 16, 24…, addressed as a `NodeReader` addresses nodes, or
 * undefined where none is stored.
 */
export type TileReader = (level: number, index: number) => Uint8Array | undefined

const LEVELS_PER_TILE = 8

export function buildInclusionProof(
  index: number,
  size: number,
  node: NodeReader,
  sha256: Sha256,
): Uint8Array[] {
  assert(Number.isSafeInteger(size), 'tree size is a safe integer')
  assert(Number.isSafeInteger(index) && index >= 0 && index < size, 'leaf is inside the tree')

  const proof: Uint8Array[] = []
  let begin = 0
  let end = size
  while (end - begin > 1) {
    const middle = begin + findPowerOfTwoBelow(end - begin)
    if (index < middle) {
      proof.push(rangeHash(middle, end, node, sha256))
      end = middle
    } else {
      proof.push(rangeHash(begin, middle, node, sha256))
      begin = middle
    }
  }
  return proof.reverse()
}

export function buildConsistencyProof(
  size1: number,
  size2: number,
  node: NodeReader,
  sha256: Sha256,
): Uint8Array[] {
  assert(Number.isSafeInteger(size2), 'tree size is a safe integer')
  assert(Number.isSafeInteger(size1) && size1 > 0, 'an empty tree has no consistency proof')
  assert(size1 <= size2, 'the first tree is not the larger one')

  const proof: Uint8Array[] = []
  let begin = 0
  let end = size2
  while (size1 < end) {
    const middle = begin + findPowerOfTwoBelow(end - begin)
    if (size1 <= middle) {
      proof.push(rangeHash(middle, end, node, sha256))
      end = middle
    } else {
      proof.push(rangeHash(begin, middle, node, sha256))
      begin = middle
    }
  }
  // What is left is common to both trees; when it is the whole first tree, its root is known.
  if (begin > 0) proof.push(rangeHash(begin, end, node, sha256))
  return proof.reverse()
}

/** Node hashes from leaf hashes, by way of stored tiles where there are some. */
export function createNodeReader(
  leafHash: (index: number) => Uint8Array,
  tile: TileReader | undefined,
  sha256: Sha256,
): NodeReader {
  const readNode: NodeReader = (level, index) => {
    if (level === 0) return leafHash(index)
    const stored = level % LEVELS_PER_TILE === 0 ? tile?.(level, index) : undefined
    return (
      stored ?? hashNode(readNode(level - 1, 2 * index), readNode(level - 1, 2 * index + 1), sha256)
    )
  }
  return readNode
}

/** The hash over leaves [begin, end), as RFC 6962 divides them; `begin` fits the division. */
function rangeHash(begin: number, end: number, node: NodeReader, sha256: Sha256): Uint8Array {
  const size = end - begin
  const level = findPerfectLevel(size)
  if (level !== undefined) return node(level, begin / size)

  const middle = begin + findPowerOfTwoBelow(size)
  return hashNode(
    rangeHash(begin, middle, node, sha256),
    rangeHash(middle, end, node, sha256),
    sha256,
  )
}

/** The level of a perfect subtree of `size` leaves; undefined when `size` is no power of two. */
function findPerfectLevel(size: number): number | undefined {
  let level = 0
  let power = 1
  while (power < size) {
    power *= 2
    level += 1
  }
  return power === size ? level : undefined
}
