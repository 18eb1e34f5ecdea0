import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { decodeBase64 } from '../canonical/bytes.ts'
import type { Sha256 } from '../canonical/sha256.ts'
import { readVectors, withoutVectors } from '../vectors.test-support.ts'
import { verifyConsistency, verifyInclusion } from './inclusion.ts'
import { computeTreeRoot, hashLeaf, hashNode } from './merkle.ts'
import {
  buildConsistencyProof,
  buildInclusionProof,
  createNodeReader,
  type NodeReader,
} from './proofs.ts'

const sha256: Sha256 = (data) => hash('sha256', data, 'buffer')

type Published = { name: string; wantErr: boolean; proof: string[] | null }
type PublishedInclusion = Published & {
  leafIdx: number
  treeSize: number
  leafHash: string | null
  root: string | null
}
type PublishedConsistency = Published & {
  size1: number
  size2: number
  root1: string | null
  root2: string | null
}
type Vectors = { inclusion: PublishedInclusion[]; consistency: PublishedConsistency[] }

const vectors = parseVectors(readVectors('rfc6962-proofs.json'))
const skip = withoutVectors
const bytes = (text: string | null): Uint8Array => decodeBase64(text ?? '') ?? new Uint8Array()

test('every published inclusion proof is judged as published', { skip }, () => {
  const inclusion = vectors?.inclusion ?? []
  assert.equal(inclusion.length, 98)
  for (const { name, leafIdx, treeSize, wantErr, ...claim } of inclusion) {
    const verdict = verifyInclusion(
      {
        leafIndex: leafIdx,
        treeSize,
        leafHash: bytes(claim.leafHash),
        proof: (claim.proof ?? []).map(bytes),
        root: bytes(claim.root),
      },
      sha256,
    )
    assert.equal(verdict, !wantErr, name)
  }
})

test('every published consistency proof is judged as published', { skip }, () => {
  const consistency = vectors?.consistency ?? []
  assert.equal(consistency.length, 98)
  for (const { name, size1, size2, wantErr, ...claim } of consistency) {
    const root1 = bytes(claim.root1)
    const root2 = bytes(claim.root2)
    const proof = (claim.proof ?? []).map(bytes)
    const verdict = verifyConsistency({ size1, size2, root1, root2, proof }, sha256)
    assert.equal(verdict, !wantErr, name)
  }
})

function parseVectors(value: unknown): Vectors | undefined {
  return value as Vectors | undefined
}

const LARGEST = 130
const LEAVES = Array.from({ length: LARGEST }, (_, i) => hashLeaf(Uint8Array.of(i), sha256))
const ROOTS = Array.from({ length: LARGEST + 1 }, (_, n) =>
  computeTreeRoot(LEAVES.slice(0, n), sha256),
)
const readNode = createNodeReader((i) => LEAVES[i] ?? new Uint8Array(), undefined, sha256)
const nodes = new Map<string, Uint8Array>()
/** Each is computed once: the same ones are in the proofs of many leaves. */
const node: NodeReader = (level, index) => {
  const known = nodes.get(`${level}/${index}`) ?? readNode(level, index)
  nodes.set(`${level}/${index}`, known)
  return known
}
const root = (size: number): Uint8Array => ROOTS[size] ?? new Uint8Array()
const leaf = (index: number): Uint8Array => LEAVES[index] ?? new Uint8Array()

function flipped(hash: Uint8Array, bit: number): Uint8Array {
  const copy = Uint8Array.from(hash)
  copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7))
  return copy
}

test('every leaf of every tree up to 130 leaves is proven, and only with the exact proof', () => {
  for (let treeSize = 1; treeSize <= LARGEST; treeSize += 1) {
    for (let leafIndex = 0; leafIndex < treeSize; leafIndex += 1) {
      const proof = buildInclusionProof(leafIndex, treeSize, node, sha256)
      const claim = { leafIndex, treeSize, leafHash: leaf(leafIndex), proof, root: root(treeSize) }
      const where = `leaf ${leafIndex} of ${treeSize}`
      const holds = (change: Partial<typeof claim>): boolean =>
        verifyInclusion({ ...claim, ...change }, sha256)

      assert(holds({}), where)
      const bit = (leafIndex * 31 + treeSize) % 256
      for (const [i, hash] of proof.entries()) {
        assert(!holds({ proof: proof.with(i, flipped(hash, bit)) }), `${where}, bit in hash ${i}`)
      }
      assert(!holds({ root: flipped(claim.root, bit) }), `${where}, bit in root`)
      assert(!holds({ leafHash: flipped(claim.leafHash, bit) }), `${where}, bit in leaf`)
      assert(!holds({ proof: [...proof, leaf(0)] }), `${where}, a hash too many`)
      if (proof.length > 0) assert(!holds({ proof: proof.slice(1) }), `${where}, one too few`)
      if (proof.length > 0) assert(!holds({ proof: proof.slice(0, -1) }), `${where}, cut`)
    }
  }
})

test('an inclusion proof fails with any single bit of it flipped', () => {
  const proof = buildInclusionProof(4, 7, node, sha256)
  const claim = { leafIndex: 4, treeSize: 7, leafHash: leaf(4), root: root(7) }
  for (let bit = 0; bit < proof.length * 256; bit += 1) {
    const i = bit >> 8
    const changed = proof.with(i, flipped(proof[i] ?? new Uint8Array(), bit & 255))
    assert(!verifyInclusion({ ...claim, proof: changed }, sha256))
  }
})

test('a proof for one leaf proves no other leaf', () => {
  for (let leafIndex = 0; leafIndex < 37; leafIndex += 1) {
    const proof = buildInclusionProof(leafIndex, 37, node, sha256)
    const claim = { leafHash: leaf(leafIndex), proof, root: root(37) }
    for (let other = 0; other <= 40; other += 1) {
      const holds = verifyInclusion({ ...claim, leafIndex: other, treeSize: 37 }, sha256)
      assert.equal(holds, other === leafIndex, `leaf ${leafIndex} shown at ${other}`)
    }
  }
})

test('a proof does not go on above the root: the last leaf of 4 is not the last leaf of 2', () => {
  for (const [real, claimed] of [
    [2, 1],
    [4, 2],
    [8, 2],
    [64, 4],
  ] as const) {
    const proof = buildInclusionProof(real - 1, real, node, sha256)
    const claim = { leafHash: leaf(real - 1), proof, root: root(real) }
    assert(verifyInclusion({ ...claim, leafIndex: real - 1, treeSize: real }, sha256))
    assert(!verifyInclusion({ ...claim, leafIndex: claimed - 1, treeSize: claimed }, sha256))
  }
  const proof = buildConsistencyProof(7, 8, node, sha256)
  const claim = { root1: root(7), root2: root(8), proof }
  assert(verifyConsistency({ ...claim, size1: 7, size2: 8 }, sha256))
  assert(!verifyConsistency({ ...claim, size1: 3, size2: 4 }, sha256))
})

test('every pair of trees up to 64 leaves is consistent, and only with the exact proof', () => {
  for (let size2 = 1; size2 <= 64; size2 += 1) {
    for (let size1 = 1; size1 <= size2; size1 += 1) {
      const proof = buildConsistencyProof(size1, size2, node, sha256)
      const claim = { size1, size2, root1: root(size1), root2: root(size2), proof }
      const where = `${size1} to ${size2}`
      const holds = (change: Partial<typeof claim>): boolean =>
        verifyConsistency({ ...claim, ...change }, sha256)

      assert(holds({}), where)
      const bit = (size1 * 31 + size2) % 256
      for (const [i, hash] of proof.entries()) {
        assert(!holds({ proof: proof.with(i, flipped(hash, bit)) }), `${where}, bit in hash ${i}`)
      }
      assert(!holds({ root1: flipped(claim.root1, bit) }), `${where}, bit in first root`)
      assert(!holds({ root2: flipped(claim.root2, bit) }), `${where}, bit in second root`)
      assert(!holds({ proof: [...proof, leaf(0)] }), `${where}, a hash too many`)
      if (proof.length > 0) assert(!holds({ proof: proof.slice(0, -1) }), `${where}, cut`)
    }
  }
})

test('a rewritten history is consistent with nothing before it', () => {
  const forged = LEAVES.with(3, leaf(99))
  const forgedNode = createNodeReader((i) => forged[i] ?? new Uint8Array(), undefined, sha256)
  for (let size1 = 4; size1 < 20; size1 += 1) {
    const proof = buildConsistencyProof(size1, 20, forgedNode, sha256)
    const root2 = computeTreeRoot(forged.slice(0, 20), sha256)
    const claim = { size1, size2: 20, root1: root(size1), root2, proof }
    assert(!verifyConsistency(claim, sha256))
  }
})

test('positions that are negative, fractional or beyond 2^53 prove nothing', () => {
  const claim = { leafIndex: 0, treeSize: 1, leafHash: leaf(0), proof: [], root: leaf(0) }
  assert(verifyInclusion(claim, sha256))
  for (const bad of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, 2 ** 64]) {
    assert(!verifyInclusion({ ...claim, leafIndex: bad }, sha256), `leaf ${bad}`)
    assert(!verifyInclusion({ ...claim, treeSize: bad }, sha256), `size ${bad}`)
    const sizes = { root1: leaf(0), root2: leaf(0), proof: [] }
    assert(!verifyConsistency({ ...sizes, size1: bad, size2: 1 }, sha256), `first ${bad}`)
    assert(!verifyConsistency({ ...sizes, size1: 1, size2: bad }, sha256), `second ${bad}`)
  }
})

test('nothing is consistent with an empty log, whatever is shown', () => {
  for (const size2 of [0, 1, 8]) {
    const claim = { size1: 0, size2, root1: root(0), root2: root(size2), proof: [] }
    assert(!verifyConsistency(claim, sha256))
  }
})

test('hashes of other lengths prove nothing, although their bytes may join to the same node', () => {
  const whole = new Uint8Array([...leaf(0), ...leaf(1)])
  const claim = { leafIndex: 0, treeSize: 2, leafHash: leaf(0), proof: [leaf(1)], root: root(2) }
  assert(verifyInclusion(claim, sha256))
  for (const cut of [0, 31, 33, 64]) {
    const moved = { leafHash: whole.slice(0, cut), proof: [whole.slice(cut)] }
    assert(!verifyInclusion({ ...claim, ...moved }, sha256), `cut at ${cut}`)
  }
  const root2 = hashNode(leaf(0), leaf(1), sha256)
  const pair = { size1: 1, size2: 2, root2 }
  assert(verifyConsistency({ ...pair, root1: leaf(0), proof: [leaf(1)] }, sha256))
  const moved = { root1: whole.slice(0, 31), proof: [whole.slice(31)] }
  assert(!verifyConsistency({ ...pair, ...moved }, sha256))
})
