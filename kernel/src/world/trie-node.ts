/**
 * One page of the world trie: sixteen children, by the next nibble of the key.
 *
 * Bytes: leaf bitmap (2, big-endian, bit i for child i), node bitmap (2), then the children in
 * order: a leaf as key and hash (64), a node as hash (32).
 */
import { assert } from '../assert.ts'
import type { Sha256 } from '../canonical/sha256.ts'

export type TrieLeaf = {
  readonly kind: 'leaf'
  readonly key: Uint8Array
  readonly hash: Uint8Array
}
export type TrieBranch = { readonly kind: 'node'; readonly hash: Uint8Array }
export type TrieChild = null | TrieLeaf | TrieBranch
export type TrieNode = { readonly children: readonly TrieChild[] }

export const FANOUT = 16
export const HASH_BYTES = 32
export const KEY_BYTES = 32
export const KEY_NIBBLES: number = 2 * KEY_BYTES

/** The hash of no leaves at all. */
export const NOTHING: Uint8Array = new Uint8Array(HASH_BYTES)

const HEADER_BYTES = 4

/** One buffer for all: nothing runs between filling and hashing it, and making one costs more. */
const preimage = new Uint8Array(1 + FANOUT * HASH_BYTES)
preimage[0] = 1

/** SHA-256(0x01 || child_0 || … || child_15). The first byte keeps nodes apart from leaves. */
export function hashBranch(children: readonly TrieChild[], sha256: Sha256): Uint8Array {
  assert(children.length === FANOUT, 'a trie node has sixteen children')
  for (let i = 0; i < FANOUT; i += 1) {
    preimage.set(children[i]?.hash ?? NOTHING, 1 + i * HASH_BYTES)
  }
  return sha256(preimage)
}

export function encodeTrieNode(node: TrieNode): Uint8Array {
  assert(node.children.length === FANOUT, 'a trie node has sixteen children')
  const bytes = new Uint8Array(HEADER_BYTES + FANOUT * (KEY_BYTES + HASH_BYTES))
  let leaves = 0
  let branches = 0
  let at = HEADER_BYTES
  for (const [i, child] of node.children.entries()) {
    if (child === null) continue
    if (child.kind === 'leaf') {
      leaves |= 1 << i
      bytes.set(child.key, at)
      at += KEY_BYTES
    } else {
      branches |= 1 << i
    }
    bytes.set(child.hash, at)
    at += HASH_BYTES
  }
  const view = new DataView(bytes.buffer)
  view.setUint16(0, leaves)
  view.setUint16(2, branches)
  return bytes.slice(0, at)
}

/** Undefined when the bytes are no page. Whether they are the right page, only the root says. */
export function decodeTrieNode(bytes: Uint8Array): TrieNode | undefined {
  if (bytes.length < HEADER_BYTES) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const leaves = view.getUint16(0)
  const branches = view.getUint16(2)
  // A child cannot be both, and an empty page is never written.
  if ((leaves & branches) !== 0 || (leaves | branches) === 0) return undefined

  let at = HEADER_BYTES
  const take = (length: number): Uint8Array => {
    at += length
    return Uint8Array.from(bytes.subarray(at - length, at))
  }
  const children = Array.from({ length: FANOUT }, (_, i): TrieChild => {
    if ((leaves & (1 << i)) !== 0) {
      return { kind: 'leaf', key: take(KEY_BYTES), hash: take(HASH_BYTES) }
    }
    return (branches & (1 << i)) !== 0 ? { kind: 'node', hash: take(HASH_BYTES) } : null
  })
  return at === bytes.length ? { children } : undefined
}
