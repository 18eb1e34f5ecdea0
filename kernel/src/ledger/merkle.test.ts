import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { decodeHex, encodeHex } from '../canonical/bytes.ts'
import type { Sha256 } from '../canonical/sha256.ts'
import {
  computeEmptyRoot,
  computeTreeRoot,
  findPowerOfTwoBelow,
  hashLeaf,
  hashNode,
} from './merkle.ts'

const sha256: Sha256 = (data) => hash('sha256', data, 'buffer')

/** The inputs and roots that the Certificate Transparency reference code publishes. */
const INPUTS = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
]
const ROOTS: Readonly<Record<number, string>> = {
  0: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  1: '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  2: 'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  3: 'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  5: '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  8: '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
}

test('roots are those of the Certificate Transparency reference tree', () => {
  const leaves = INPUTS.map((input) => hashLeaf(decodeHex(input) ?? new Uint8Array(), sha256))
  for (const [size, root] of Object.entries(ROOTS)) {
    assert.equal(
      encodeHex(computeTreeRoot(leaves.slice(0, Number(size)), sha256)),
      root,
      `size ${size}`,
    )
  }
})

test('an empty tree has the hash of nothing as root', () => {
  assert.equal(encodeHex(computeTreeRoot([], sha256)), encodeHex(computeEmptyRoot(sha256)))
})

test('an inner node presented as a leaf has another hash', () => {
  const left = hashLeaf(Uint8Array.of(1), sha256)
  const right = hashLeaf(Uint8Array.of(2), sha256)
  const joined = new Uint8Array([...left, ...right])
  assert.notEqual(encodeHex(hashLeaf(joined, sha256)), encodeHex(hashNode(left, right, sha256)))
})

test('a child that is not 32 bytes long is a bug', () => {
  const good = new Uint8Array(32)
  for (const length of [0, 31, 33]) {
    assert.throws(() => hashNode(new Uint8Array(length), good, sha256), /left child/)
    assert.throws(() => hashNode(good, new Uint8Array(length), sha256), /right child/)
  }
})

test('a tree divides at the largest power of two below its size, beyond 32 bits too', () => {
  const cases = [
    [2, 1],
    [3, 2],
    [4, 2],
    [5, 4],
    [8, 4],
    [9, 8],
    [2 ** 32, 2 ** 31],
    [2 ** 32 + 1, 2 ** 32],
    [2 ** 53 - 1, 2 ** 52],
  ] as const
  for (const [size, split] of cases) assert.equal(findPowerOfTwoBelow(size), split)
  assert.throws(() => findPowerOfTwoBelow(1), /divided/)
})
