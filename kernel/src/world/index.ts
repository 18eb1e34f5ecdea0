/** What the ledger says is so: deltas, the fold over them, the tree of its leaves. */
export { applyDelta } from './apply.ts'
export { type Delta, type DeltaOp, parseDelta } from './delta.ts'
export type { WorldLeaf } from './erased-leaves.ts'
export { createWorld, type World } from './fold.ts'
export {
  hashKeyedLeaf,
  hashResourceKey,
  hashResourceLeaf,
  type Resource,
  toResourceName,
} from './resource.ts'
export {
  computeTrieRoot,
  decodeTrieNode,
  encodeTrieNode,
  hashBranch,
  listTriePrefixes,
  type PageReader,
  type TrieNode,
  updateTrie,
} from './trie.ts'
export type { WorldFact } from './world-fact.ts'
