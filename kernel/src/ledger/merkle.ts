/**
 * The RFC 6962 Merkle tree, as its definition.
 *
 * Leaves and inner nodes hash under different first bytes: without them, an inner node's 64 bytes
 * could be presented as an entry, and one root would vouch for two different logs.
 */
import { assert } from '../assert.ts'
import type { Sha256 } from '../canonical/sha256.ts'

export const HASH_BYTES = 32

/** One buffer for all: nothing runs between filling and hashing it, and making one costs more. */
const nodePreimage = new Uint8Array(1 + 2 * HASH_BYTES)
nodePreimage[0] = 1

export function hashLeaf(input: Uint8Array, sha256: Sha256): Uint8Array {
  const preimage = new Uint8Array(1 + input.length)
  preimage.set(input, 1)
  return sha256(preimage)
}

export function hashNode(left: Uint8Array, right: Uint8Array, sha256: Sha256): Uint8Array {
  assert(left.length === HASH_BYTES, 'left child hash has 32 bytes')
  assert(right.length === HASH_BYTES, 'right child hash has 32 bytes')
  nodePreimage.set(left, 1)
  nodePreimage.set(right, 1 + HASH_BYTES)
  return sha256(nodePreimage)
}

export function computeEmptyRoot(sha256: Sha256): Uint8Array {
  return sha256(new Uint8Array(0))
}

/** Reads every leaf: for tests and full rebuilds. The running log uses a frontier. */
export function computeTreeRoot(leafHashes: readonly Uint8Array[], sha256: Sha256): Uint8Array {
  const first = leafHashes[0]
  if (first === undefined) return computeEmptyRoot(sha256)
  if (leafHashes.length === 1) return first

  const split = findPowerOfTwoBelow(leafHashes.length)
  return hashNode(
    computeTreeRoot(leafHashes.slice(0, split), sha256),
    computeTreeRoot(leafHashes.slice(split), sha256),
    sha256,
  )
}

/** Where RFC 6962 divides a tree of `size` leaves. Multiplies: shifts would wrap at 2^31. */
export function findPowerOfTwoBelow(size: number): number {
  assert(size > 1, 'only a tree of two leaves or more is divided')
  let power = 1
  while (power * 2 < size) power *= 2
  return power
}
