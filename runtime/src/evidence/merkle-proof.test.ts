import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  computeFrontierRoot,
  emptyFrontier,
  extendFrontierAll,
  hashLeaf,
  MAIN,
  toLeafInput,
  verifyConsistency,
  verifyInclusion,
} from 'rubicon-kernel'
import { createMemoryStore } from '../adapters/memory/store.ts'
import { sha256 } from '../adapters/system/sha256.ts'
import { begin, buildNote, commit, START, TENANT } from '../ports/conformance/fixture.ts'
import type { Store } from '../ports/store.ts'
import { Prover } from './merkle-proof.ts'

const SIZE = 1_100

async function filled(): Promise<Store> {
  const store = createMemoryStore({ tenant: TENANT, sha256, clock: () => START })
  await begin(store)
  for (let n = 2; n < SIZE; n += 1) await commit(store, [buildNote(MAIN, n)])
  return store
}

async function hashesOf(store: Store): Promise<readonly Uint8Array[]> {
  return (await store.listLeaves(0, SIZE)).map(({ id }) => hashLeaf(toLeafInput(id), sha256))
}

function rootOf(leaves: readonly Uint8Array[]): Uint8Array {
  return computeFrontierRoot(extendFrontierAll(emptyFrontier, leaves, sha256), sha256)
}

test('every proof leads to the root, by way of leaves, tiles and what is remembered', async () => {
  const store = await filled()
  const leaves = await hashesOf(store)
  const prover = new Prover(store, sha256)
  for (const size of [1, 2, 255, 256, 257, 1_024, SIZE]) {
    const root = rootOf(leaves.slice(0, size))
    for (const leafIndex of [0, 1, 200, 255, 256, 700, size - 1].filter((one) => one < size)) {
      const proof = await prover.proveInclusion(leafIndex, size)
      const claim = { leafIndex, treeSize: size, leafHash: leaves[leafIndex] ?? root, proof, root }
      assert.ok(verifyInclusion(claim, sha256), `leaf ${leafIndex} of ${size}`)
    }
    for (const size1 of [1, 2, 128, 256, 300, size].filter((one) => one <= size)) {
      const root1 = rootOf(leaves.slice(0, size1))
      const proof = await prover.proveConsistency(size1, size)
      const claim = { size1, size2: size, root1, root2: root, proof }
      assert.ok(verifyConsistency(claim, sha256), `${size1} before ${size}`)
    }
  }
})

test('a tile stands for its leaves', async () => {
  const store = await filled()
  const leaves = await hashesOf(store)
  const read: number[] = []
  const prover = new Prover(
    {
      listTiles: (from, limit) => store.listTiles(from, limit),
      listLeafIds(from, limit) {
        read.push(limit)
        return store.listLeafIds(from, limit)
      },
    },
    sha256,
  )
  const proof = await prover.proveInclusion(SIZE - 1, SIZE)
  const claim = { leafIndex: SIZE - 1, treeSize: SIZE, proof, root: rootOf(leaves) }
  assert.ok(verifyInclusion({ ...claim, leafHash: leaves[SIZE - 1] ?? claim.root }, sha256))
  assert.ok(read.reduce((sum, limit) => sum + limit, 0) < 256)
})
