import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { encodeHex } from '../canonical/bytes.ts'
import type { Sha256 } from '../canonical/sha256.ts'
import { computeFrontierRoot, emptyFrontier, extendFrontierAll } from './frontier.ts'
import { verifyConsistency, verifyInclusion } from './inclusion.ts'
import { computeTreeRoot, hashLeaf } from './merkle.ts'
import {
  buildConsistencyProof,
  buildInclusionProof,
  createNodeReader,
  type NodeReader,
  type TileReader,
} from './proofs.ts'

const sha256: Sha256 = (data) => hash('sha256', data, 'buffer')
const SIZE = 70_000
const LEAVES = Array.from({ length: SIZE }, (_, i) =>
  hashLeaf(Uint8Array.of(i & 255, (i >> 8) & 255, i >> 16), sha256),
)
const leaf = (index: number): Uint8Array => {
  const found = LEAVES[index]
  assert(found !== undefined, `leaf ${index} is inside the tree`)
  return found
}
const rootAt = (size: number): Uint8Array =>
  computeFrontierRoot(extendFrontierAll(emptyFrontier, LEAVES.slice(0, size), sha256), sha256)

/** All full tiles of the log, as a store keeps them. */
function tilesOver(size: number): TileReader {
  const bare = createNodeReader(leaf, undefined, sha256)
  const tiles = new Map<string, Uint8Array>()
  for (const level of [8, 16]) {
    for (let i = 0; (i + 1) * 2 ** level <= size; i += 1) tiles.set(`${level}/${i}`, bare(level, i))
  }
  return (level, index) => tiles.get(`${level}/${index}`)
}

test('proofs over tiles hold around tile borders and need few leaves', () => {
  const root = rootAt(SIZE)
  const tiles = tilesOver(SIZE)
  for (const leafIndex of [0, 255, 256, 65_535, 65_536, SIZE - 1]) {
    let leavesRead = 0
    const counted = (index: number): Uint8Array => {
      leavesRead += 1
      return leaf(index)
    }
    const node = createNodeReader(counted, tiles, sha256)
    const proof = buildInclusionProof(leafIndex, SIZE, node, sha256)
    const claim = { leafIndex, treeSize: SIZE, leafHash: leaf(leafIndex), proof, root }
    assert(verifyInclusion(claim, sha256), `leaf ${leafIndex}`)
    assert(leavesRead < 512, `read ${leavesRead} leaves`)
  }
})

test('consistency over tiles holds around tile borders', () => {
  const node = createNodeReader(leaf, tilesOver(SIZE), sha256)
  const root2 = rootAt(SIZE)
  for (const size1 of [1, 255, 256, 257, 65_535, 65_536, 65_537, SIZE]) {
    const proof = buildConsistencyProof(size1, SIZE, node, sha256)
    const claim = { size1, size2: SIZE, root1: rootAt(size1), root2, proof }
    assert(verifyConsistency(claim, sha256), `from ${size1}`)
  }
})

test('a reader gives the same nodes with tiles and without', () => {
  const withTiles = createNodeReader(leaf, tilesOver(1024), sha256)
  const without = createNodeReader(leaf, undefined, sha256)
  for (const [level, index] of [
    [0, 7],
    [3, 2],
    [8, 1],
    [9, 0],
    [10, 0],
  ] as const) {
    const leaves = LEAVES.slice(index * 2 ** level, (index + 1) * 2 ** level)
    assert.equal(encodeHex(withTiles(level, index)), encodeHex(computeTreeRoot(leaves, sha256)))
    assert.equal(encodeHex(without(level, index)), encodeHex(computeTreeRoot(leaves, sha256)))
  }
})

test('only perfect subtrees inside the tree are asked for', () => {
  const bare = createNodeReader(leaf, undefined, sha256)
  for (let size = 1; size <= 70; size += 1) {
    const strict: NodeReader = (level, index) => {
      assert((index + 1) * 2 ** level <= size, `node ${level}/${index} of ${size}`)
      return bare(level, index)
    }
    for (let i = 0; i < size; i += 1) buildInclusionProof(i, size, strict, sha256)
    for (let i = 1; i <= size; i += 1) buildConsistencyProof(i, size, strict, sha256)
  }
})

test('positions stay exact in a log of 2^53 - 1 leaves', () => {
  const same = hashLeaf(new Uint8Array(), sha256)
  const size = Number.MAX_SAFE_INTEGER
  const levels = [same]
  for (let level = 1; level < 53; level += 1) {
    const below = levels[level - 1] ?? same
    levels.push(computeTreeRoot([below, below], sha256))
  }
  const node: NodeReader = (level) => levels[level] ?? same
  const hashes = levels.toReversed()
  const root = computeFrontierRoot({ size, hashes }, sha256)
  for (const leafIndex of [0, 2 ** 31, 2 ** 32 + 1, size - 1]) {
    const proof = buildInclusionProof(leafIndex, size, node, sha256)
    const claim = { leafIndex, treeSize: size, leafHash: same, proof, root }
    assert(verifyInclusion(claim, sha256), `leaf ${leafIndex}`)
  }
})

test('asking for a proof outside the tree is a bug', () => {
  const node: NodeReader = () => new Uint8Array(32)
  for (const index of [-1, 4, 0.5]) {
    assert.throws(() => buildInclusionProof(index, 4, node, sha256), /inside the tree/)
  }
  assert.throws(() => buildInclusionProof(0, 2 ** 53, node, sha256), /safe integer/)
  assert.throws(() => buildConsistencyProof(0, 4, node, sha256), /empty tree/)
  assert.throws(() => buildConsistencyProof(5, 4, node, sha256), /larger/)
  assert.throws(() => buildConsistencyProof(1, 2 ** 53, node, sha256), /safe integer/)
})
