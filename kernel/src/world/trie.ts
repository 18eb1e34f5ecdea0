/**
 * The authenticated world: a 16-ary trie over the nibbles of resource keys.
 *
 * The hash of the set of leaves below a prefix is, for no leaf, 32 zero bytes; for one, that
 * leaf's hash; else the hash over the sixteen sets that its next nibble makes. The root is the
 * hash at the empty prefix. `trieRoot` is this sentence as code; `updateTrie` gives the same root
 * and touches only the pages on the path of what changed.
 *
 * Boundary: pages are stored by the caller under their prefix, a lower-case hex text, '' for the
 * root page, which exists as soon as there is one leaf.
 *
 * Invariants:
 * 1. Root and pages depend on the set of leaves alone, not on the order in which they came.
 * 2. A page other than the root page has two leaves or more below it.
 * 3. A child of kind `node` has its page; a page that is missing stops the update.
 * 4. Leaves are inserted or replaced, never removed.
 */
import { assert } from '../assert.ts'
import { encodeHex, isEqualBytes } from '../canonical/bytes.ts'
import type { Sha256 } from '../canonical/sha256.ts'
import {
  FANOUT,
  HASH_BYTES,
  hashBranch,
  KEY_BYTES,
  KEY_NIBBLES,
  NOTHING,
  type TrieChild,
  type TrieLeaf,
  type TrieNode,
} from './trie-node.ts'

export {
  decodeTrieNode,
  encodeTrieNode,
  hashBranch,
  type TrieBranch,
  type TrieChild,
  type TrieLeaf,
  type TrieNode,
} from './trie-node.ts'

export type LeafChange = { readonly key: Uint8Array; readonly hash: Uint8Array }
export type PageReader = (prefix: string) => TrieNode | undefined

export type TrieUpdate = {
  readonly root: Uint8Array
  readonly writes: ReadonlyMap<string, TrieNode>
}

type Draft = { readonly children: TrieChild[] }

export function updateTrie(
  read: PageReader,
  changes: readonly LeafChange[],
  sha256: Sha256,
): TrieUpdate {
  const drafts = new Map<string, Draft>()
  for (const { key, hash } of changes) {
    assert(key.length === KEY_BYTES && hash.length === HASH_BYTES, 'a leaf is a key and a hash')
    insertLeaf({ kind: 'leaf', key, hash }, read, drafts)
  }
  rehash(drafts, sha256)
  return { root: computePageRoot(drafts.get('') ?? read(''), sha256), writes: drafts }
}

/**
 * The pages that a change to `key` may read, for a store that must fetch them first.
 *
 * Sixteen are enough by chance, but whoever chooses ids can search for keys that share more: if
 * the last of these prefixes has a page, ask again with a greater depth, up to 64.
 */
export function listTriePrefixes(key: Uint8Array, depth: number = 16): string[] {
  assert(key.length === KEY_BYTES, 'a trie key has 32 bytes')
  const path = encodeHex(key)
  return Array.from({ length: Math.min(depth, KEY_NIBBLES) }, (_, i) => path.slice(0, i))
}

/** The definition, over all leaves: for full rebuilds, and the judge of `updateTrie` in tests. */
export function computeTrieRoot(leaves: readonly LeafChange[], sha256: Sha256): Uint8Array {
  return setHash(leaves, 0, sha256)
}

function setHash(leaves: readonly LeafChange[], depth: number, sha256: Sha256): Uint8Array {
  const first = leaves[0]
  if (first === undefined) return NOTHING.slice()
  if (leaves.length === 1) return first.hash

  const sets = Array.from({ length: FANOUT }, (): LeafChange[] => [])
  for (const leaf of leaves) sets[getNibble(leaf.key, depth)]?.push(leaf)
  const children = sets.map((set): TrieChild => {
    return { kind: 'node', hash: setHash(set, depth + 1, sha256) }
  })
  return hashBranch(children, sha256)
}

/** Walks down to where the leaf belongs. A leaf of another key in its way moves down a level. */
function insertLeaf(leaf: TrieLeaf, read: PageReader, drafts: Map<string, Draft>): void {
  let prefix = ''
  for (let depth = 0; ; depth += 1) {
    const { children } = loadDraft(prefix, read, drafts)
    const slot = getNibble(leaf.key, depth)
    const child = children[slot] ?? null
    if (child === null || (child.kind === 'leaf' && isEqualBytes(child.key, leaf.key))) {
      children[slot] = leaf
      return
    }
    prefix += slot.toString(16)
    if (child.kind === 'leaf') {
      const below = createEmptyDraft()
      below.children[getNibble(child.key, depth + 1)] = child
      drafts.set(prefix, below)
      children[slot] = { kind: 'node', hash: NOTHING } // rehashed with its page
    }
  }
}

function loadDraft(prefix: string, read: PageReader, drafts: Map<string, Draft>): Draft {
  const open = drafts.get(prefix)
  if (open !== undefined) return open
  const stored = read(prefix)
  assert(stored !== undefined || prefix === '', 'a node of the world trie has its page')
  const draft = stored === undefined ? createEmptyDraft() : { children: [...stored.children] }
  drafts.set(prefix, draft)
  return draft
}

/** Each page once, however many leaves changed below: last opened first is children first. */
function rehash(drafts: ReadonlyMap<string, Draft>, sha256: Sha256): void {
  for (const [prefix, { children }] of [...drafts].reverse()) {
    if (prefix === '') continue
    const parent = drafts.get(prefix.slice(0, -1))
    assert(parent !== undefined, 'a page is opened after its parent')
    const slot = Number.parseInt(prefix.slice(-1), 16)
    parent.children[slot] = { kind: 'node', hash: hashBranch(children, sha256) }
  }
}

function computePageRoot(page: TrieNode | undefined, sha256: Sha256): Uint8Array {
  if (page === undefined) return NOTHING.slice()
  const [first, ...others] = page.children.filter((child) => child !== null)
  const isSingle = first?.kind === 'leaf' && others.length === 0
  return isSingle ? first.hash : hashBranch(page.children, sha256)
}

function createEmptyDraft(): Draft {
  return { children: Array.from({ length: FANOUT }, () => null) }
}

function getNibble(key: Uint8Array, depth: number): number {
  const byte = key[depth >> 1]
  assert(byte !== undefined, 'two different keys part before they end')
  return depth % 2 === 0 ? byte >> 4 : byte & 15
}
