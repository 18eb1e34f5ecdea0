import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { encodeHex } from '../canonical/bytes.ts'
import type { Sha256 } from '../canonical/sha256.ts'
import { computeTreeRoot, hashLeaf } from './merkle.ts'
import {
  buildTiledTree,
  computeTiledRoot,
  emptyTree,
  extendTree,
  TILE_LEAVES,
} from './tiled-tree.ts'

const sha256: Sha256 = (data) => hash('sha256', data, 'buffer')
const LEAVES = Array.from({ length: 1300 }, (_, i) =>
  hashLeaf(Uint8Array.of(i & 255, i >> 8), sha256),
)
const rootOf = (size: number): string => encodeHex(computeTreeRoot(LEAVES.slice(0, size), sha256))

test('a tiled tree has the root of the whole tree, in whatever portions its leaves arrive', () => {
  const sizes = fc.array(fc.nat(1300), { maxLength: 6 })
  fc.assert(
    fc.property(sizes, (cuts) => {
      let tree = emptyTree
      const whole: Uint8Array[] = []
      for (const size of cuts.toSorted((a, b) => a - b)) {
        const grown = extendTree(tree, LEAVES.slice(tree.size, size), sha256)
        tree = grown.tree
        whole.push(...grown.whole)
        assert.equal(tree.size, size)
        assert.equal(encodeHex(computeTiledRoot(tree, sha256)), rootOf(size))
      }
      const tiles = Array.from({ length: Math.floor(tree.size / TILE_LEAVES) }, (_, i) =>
        encodeHex(computeTreeRoot(LEAVES.slice(i * TILE_LEAVES, (i + 1) * TILE_LEAVES), sha256)),
      )
      assert.deepEqual(whole.map(encodeHex), tiles)
    }),
  )
})

test('a tree is taken up again from its tiles and the leaves behind them', () => {
  for (const size of [0, 1, 255, 256, 257, 511, 512, 1300]) {
    const { whole } = extendTree(emptyTree, LEAVES.slice(0, size), sha256)
    const tiled = buildTiledTree(whole, sha256)
    const { tree } = extendTree(tiled, LEAVES.slice(tiled.size, size), sha256)
    assert.equal(tree.size, size)
    assert.equal(encodeHex(computeTiledRoot(tree, sha256)), rootOf(size), `size ${size}`)
  }
})

test('a leaf costs one node hash on average, tiles included', () => {
  let hashes = 0
  const counting: Sha256 = (data) => {
    hashes += 1
    return sha256(data)
  }
  extendTree(emptyTree, LEAVES.slice(0, 1024), counting)
  assert.equal(hashes, 1023)
})
