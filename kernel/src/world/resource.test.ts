import assert from 'node:assert/strict'
import { createHash, hash } from 'node:crypto'
import { test } from 'node:test'
import { encodeHex } from '../canonical/bytes.ts'
import type { Sha256 } from '../canonical/sha256.ts'
import {
  hashKeyedLeaf,
  hashResourceKey,
  hashResourceLeaf,
  type Resource,
  toResourceName,
} from './resource.ts'

const sha256: Sha256 = (data) => hash('sha256', data, 'buffer')
const ORDER: Resource = {
  kind: 'order',
  id: 'ö 1',
  version: 3,
  value: { b: '1', a: null },
  retracted: false,
  last_entry: 'sha256:aa',
}

test('a key is the hash of kind, NUL and id', () => {
  const expected = createHash('sha256').update('order\0ö 1', 'utf8').digest('hex')
  assert.equal(encodeHex(hashResourceKey('order', 'ö 1', sha256)), expected)
})

test('a leaf is the hash of 00, key and the hash of the canonical state', () => {
  const key = createHash('sha256').update('order\0ö 1').digest()
  const text = '{"retracted":false,"value":{"a":null,"b":"1"},"version":3}'
  const state = createHash('sha256').update(text).digest()
  const leaf = createHash('sha256').update(Uint8Array.of(0)).update(key).update(state)
  assert.equal(encodeHex(hashResourceLeaf(ORDER, sha256)), leaf.digest('hex'))
  assert.equal(
    encodeHex(hashKeyedLeaf(key, ORDER, sha256)),
    encodeHex(hashResourceLeaf(ORDER, sha256)),
  )
})

test('name, version, value and flag change the leaf; the entry that wrote it does not', () => {
  const leaf = (change: Partial<Resource>): string =>
    encodeHex(hashResourceLeaf({ ...ORDER, ...change }, sha256))
  const changes = [
    { kind: 'offer' },
    { id: 'x' },
    { version: 4 },
    { value: 0 },
    { retracted: true },
  ]
  const leaves = [leaf({}), ...changes.map(leaf)]
  assert.equal(new Set(leaves).size, leaves.length)
  assert.equal(leaf({ last_entry: 'sha256:bb' }), leaf({}))
})

test('a kind cannot borrow from the id, and an id has no half characters', () => {
  assert.throws(() => toResourceName('a\0b', 'c'), /identifier/)
  assert.throws(() => hashResourceKey('', 'c', sha256), /identifier/)
  assert.throws(() => hashResourceKey('a', '\ud800', sha256), /surrogate/)
  assert.notEqual(toResourceName('a', 'b\0c'), toResourceName('a', 'b'))
})
