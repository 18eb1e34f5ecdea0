/**
 * The frontier (compact range) of an append-only tree: what must be kept so that the next leaf can
 * be added without reading any earlier one. At most 53 hashes, whatever the size of the log.
 *
 * Invariants:
 * 1. There is one hash per set bit of `size`: the root of a perfect subtree, largest first.
 * 2. A frontier is never changed; extending one makes another.
 * 3. `size` is a safe integer, so that no position is ever rounded to its neighbour.
 */
import { assert } from '../assert.ts'
import type { Sha256 } from '../canonical/sha256.ts'
import { computeEmptyRoot, HASH_BYTES, hashNode } from './merkle.ts'

export type Frontier = {
  readonly size: number
  readonly hashes: readonly Uint8Array[]
}

export const emptyFrontier: Frontier = { size: 0, hashes: [] }

export function extendFrontier(frontier: Frontier, leaf: Uint8Array, sha256: Sha256): Frontier {
  return extendFrontierAll(frontier, [leaf], sha256)
}

/** One node hash per leaf on average; the stack is copied once, not per leaf. */
export function extendFrontierAll(
  frontier: Frontier,
  leaves: Iterable<Uint8Array>,
  sha256: Sha256,
): Frontier {
  assert(frontier.hashes.length === setBits(frontier.size), 'a frontier has a hash per set bit')
  const stack = [...frontier.hashes]
  let size = frontier.size
  for (const leaf of leaves) {
    assert(leaf.length === HASH_BYTES, 'a leaf hash has 32 bytes')
    assert(size < Number.MAX_SAFE_INTEGER, 'the log size is a safe integer')
    stack.push(mergeEqualSubtrees(stack, size, leaf, sha256))
    size += 1
  }
  return { size, hashes: stack }
}

export function computeFrontierRoot(frontier: Frontier, sha256: Sha256): Uint8Array {
  const last = frontier.hashes.at(-1)
  if (last === undefined) return computeEmptyRoot(sha256)
  return frontier.hashes
    .slice(0, -1)
    .reduceRight((right, left) => hashNode(left, right, sha256), last)
}

/** A new leaf closes one subtree for each trailing 1 of `size`, as a carry does in addition. */
function mergeEqualSubtrees(
  stack: Uint8Array[],
  size: number,
  leaf: Uint8Array,
  sha256: Sha256,
): Uint8Array {
  let hash = leaf
  for (let rest = size; rest % 2 === 1; rest = (rest - 1) / 2) {
    const left = stack.pop()
    assert(left !== undefined, 'a set bit of the size has its hash')
    hash = hashNode(left, hash, sha256)
  }
  return hash
}

function setBits(size: number): number {
  let count = 0
  for (let rest = size; rest > 0; rest = Math.floor(rest / 2)) count += rest % 2
  return count
}
