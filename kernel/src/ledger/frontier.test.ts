import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { encodeHex } from '../canonical/bytes.ts'
import type { Sha256 } from '../canonical/sha256.ts'
import {
  computeFrontierRoot,
  emptyFrontier,
  extendFrontier,
  extendFrontierAll,
} from './frontier.ts'
import { computeTreeRoot, hashLeaf } from './merkle.ts'

const sha256: Sha256 = (data) => hash('sha256', data, 'buffer')
const leavesOf = (count: number): Uint8Array[] =>
  Array.from({ length: count }, (_, i) => hashLeaf(Uint8Array.of(i & 255, i >> 8), sha256))

test('a frontier has the root of the whole tree at every size up to 260', () => {
  const leaves = leavesOf(260)
  let frontier = emptyFrontier
  for (let size = 0; size <= leaves.length; size += 1) {
    const root = computeTreeRoot(leaves.slice(0, size), sha256)
    assert.equal(encodeHex(computeFrontierRoot(frontier, sha256)), encodeHex(root), `size ${size}`)
    frontier = extendFrontier(frontier, leaves[size] ?? root, sha256)
  }
})

test('leaves may be added in any portions', () => {
  const leaves = leavesOf(300)
  fc.assert(
    fc.property(fc.nat(300), fc.nat(300), (a, b) => {
      const [first, second] = a < b ? [a, b] : [b, a]
      const once = extendFrontierAll(emptyFrontier, leaves.slice(0, second), sha256)
      const begun = extendFrontierAll(emptyFrontier, leaves.slice(0, first), sha256)
      const twice = extendFrontierAll(begun, leaves.slice(first, second), sha256)
      assert.deepEqual(twice, once)
    }),
  )
})

test('extending a frontier leaves the old one as it was', () => {
  const before = extendFrontierAll(emptyFrontier, leavesOf(7), sha256)
  const hashes = before.hashes.map(encodeHex)
  extendFrontierAll(before, leavesOf(9), sha256)
  assert.deepEqual([before.size, before.hashes.map(encodeHex)], [7, hashes])
})

test('a leaf costs one node hash on average', () => {
  let hashes = 0
  const counting: Sha256 = (data) => {
    hashes += 1
    return sha256(data)
  }
  extendFrontierAll(emptyFrontier, leavesOf(1024), counting)
  assert.equal(hashes, 1023)
})

test('a leaf hash of another length is a bug, and so is a frontier without its hashes', () => {
  assert.throws(() => extendFrontier(emptyFrontier, new Uint8Array(31), sha256), /32 bytes/)
  const [leaf = new Uint8Array()] = leavesOf(1)
  assert.throws(() => extendFrontier({ size: 3, hashes: [leaf] }, leaf, sha256), /per set bit/)
})

test('a log ends before its size is no longer exact', () => {
  const [leaf = new Uint8Array()] = leavesOf(1)
  const size = Number.MAX_SAFE_INTEGER
  const hashes = Array.from({ length: 53 }, () => leaf)
  const last = extendFrontier({ size: size - 1, hashes: hashes.slice(1) }, leaf, sha256)
  assert.equal(last.size, size)
  assert.equal(last.hashes.length, 53)
  assert.throws(() => extendFrontier(last, leaf, sha256), /safe integer/)
})
