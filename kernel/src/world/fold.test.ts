import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { encodeHex } from '../canonical/bytes.ts'
import type { Sha256 } from '../canonical/sha256.ts'
import type { DeltaOp } from './delta.ts'
import { createWorld, type World } from './fold.ts'
import { hashResourceKey, hashResourceLeaf } from './resource.ts'
import { computeTrieRoot } from './trie.ts'

const sha256: Sha256 = (data) => hash('sha256', data, 'buffer')
const create = (id: string): DeltaOp => ({ op: 'create', kind: 'k', id, value: '0' })
const increment = (id: string): DeltaOp => ({ op: 'increment', kind: 'k', id, by: '1' })

/** The root by the definition, from nothing but the resources. */
function rebuiltRoot(world: World): string {
  const leaves = [...world.resources()].map((resource) => ({
    key: hashResourceKey(resource.kind, resource.id, sha256),
    hash: hashResourceLeaf(resource, sha256),
  }))
  return encodeHex(computeTrieRoot(leaves, sha256))
}

test('a new world is empty', () => {
  const world = createWorld(sha256)
  assert.equal(encodeHex(world.root()), '00'.repeat(32))
  assert.deepEqual([...world.resources()], [])
  assert.equal(world.get('k', 'a'), undefined)
})

test('the root is that of all resources, however often it is asked for', () => {
  const steps = fc.array(fc.record({ id: fc.nat(30), ask: fc.boolean() }), { maxLength: 60 })
  fc.assert(
    fc.property(steps, (all) => {
      const world = createWorld(sha256)
      for (const { id, ask } of all) {
        const name = `r${id}`
        const op = world.get('k', name) === undefined ? create(name) : increment(name)
        assert(world.apply([op], 'e').ok)
        if (ask) assert.equal(encodeHex(world.root()), rebuiltRoot(world))
      }
      assert.equal(encodeHex(world.root()), rebuiltRoot(world))
    }),
  )
})

test('a delta that fails changes nothing, not even for its first ops', () => {
  const world = createWorld(sha256)
  assert(world.apply([create('a')], 'e1').ok)
  const before = encodeHex(world.root())
  const failed = world.apply([increment('a'), create('b'), create('a')], 'e2')
  assert(!failed.ok)
  assert.equal(failed.error.op, 2)
  assert.equal(encodeHex(world.root()), before)
  assert.equal(world.get('k', 'a')?.last_entry, 'e1')
  assert.equal(world.get('k', 'b'), undefined)
})

test('a retracted resource stays in the world and in its root', () => {
  const world = createWorld(sha256)
  assert(world.apply([create('a')], 'e1').ok)
  assert(world.apply([{ op: 'retract', kind: 'k', id: 'a', expected_version: 1 }], 'e2').ok)
  assert.equal(world.get('k', 'a')?.retracted, true)
  assert.equal([...world.resources()].length, 1)
  assert.equal(encodeHex(world.root()), rebuiltRoot(world))
})

test('the inverse that apply returns undoes the delta', () => {
  const world = createWorld(sha256)
  assert(world.apply([create('a')], 'e1').ok)
  const forth = world.apply([increment('a'), create('b')], 'e2')
  assert(forth.ok && world.apply(forth.value, 'e3').ok)
  assert.equal(world.get('k', 'a')?.value, '0')
  assert.equal(world.get('k', 'b')?.retracted, true)
})

test('a fork and its origin go separate ways, also before the root was asked for', () => {
  const world = createWorld(sha256)
  assert(world.apply([create('a'), create('b')], 'e1').ok)
  const fork = world.fork()
  assert.equal(encodeHex(fork.root()), encodeHex(world.root()))
  const shared = encodeHex(world.root())

  assert(fork.apply([increment('a')], 'e2').ok)
  assert.notEqual(encodeHex(fork.root()), shared)
  assert.equal(encodeHex(world.root()), shared)
  assert(world.apply([create('c')], 'e3').ok)
  assert.equal(fork.get('k', 'c'), undefined)
  assert.equal(encodeHex(fork.root()), rebuiltRoot(fork))
  assert.equal(encodeHex(world.root()), rebuiltRoot(world))
})

test('asking for a kind that cannot exist finds nothing', () => {
  const world = createWorld(sha256)
  assert(world.apply([{ op: 'create', kind: 'a', id: 'b\0c', value: 1 }], 'e').ok)
  assert.equal(world.get('a', 'b\0c')?.value, 1)
  assert.equal(world.get('a\0b', 'c'), undefined)
  assert.equal(world.get('', 'b\0c'), undefined)
})

const op = (one: Omit<DeltaOp, 'kind' | 'id'>): DeltaOp =>
  ({ ...one, kind: 'k', id: 'a' }) as DeltaOp

/** `full` knows what is in `k a`; `left` only its leaf, and both hold `k b`. */
function erasedPair(): { readonly full: World; readonly left: World } {
  const full = createWorld(sha256)
  const left = createWorld(sha256)
  for (const world of [full, left]) assert(world.apply([create('b')], 'e').ok)
  assert(full.apply([create('a'), increment('a')], 'e').ok)
  const resource = full.get('k', 'a')
  assert(resource !== undefined)
  const key = encodeHex(hashResourceKey('k', 'a', sha256))
  left.applyErased([{ key, leaf: encodeHex(hashResourceLeaf(resource, sha256)) }])
  return { full, left }
}

test('a leaf stands for the resource whose delta was erased', () => {
  const { full, left } = erasedPair()
  assert.equal(encodeHex(left.root()), encodeHex(full.root()))
  assert.equal(left.get('k', 'a'), undefined)
  for (const world of [full, left]) assert(world.apply([increment('b')], 'e').ok)
  assert.equal(encodeHex(left.fork().root()), encodeHex(full.root()))
  assert.equal(left.isKnown(), true)
})

test('what states the version it found makes an erased resource known again', () => {
  const at = { expected_version: 2 }
  const deltas: DeltaOp[][] = [
    [op({ op: 'replace', ...at, value: '7' } as DeltaOp), increment('a')],
    [op({ op: 'retract', ...at } as DeltaOp)],
    [
      op({ op: 'retract', ...at } as DeltaOp),
      op({ op: 'create', expected_version: 3, value: '8' } as DeltaOp),
    ],
    [increment('a'), op({ op: 'replace', expected_version: 3, value: '9' } as DeltaOp)],
  ]
  for (const delta of deltas) {
    const { full, left } = erasedPair()
    for (const world of [full, left]) assert(world.apply(delta, 'e').ok, JSON.stringify(delta))
    assert.equal(left.isKnown(), true)
    assert.equal(encodeHex(left.root()), encodeHex(full.root()), JSON.stringify(delta))
    assert.deepEqual(left.get('k', 'a'), full.get('k', 'a'))
  }
})

test('what needs an erased value leaves a leaf that nobody knows, until it is stated again', () => {
  for (const first of [increment('a'), create('a')]) {
    const { left } = erasedPair()
    assert(left.apply([first], 'e').ok)
    assert.equal(left.isKnown(), false)
    assert.equal(left.fork().isKnown(), false)
    const again = op({ op: 'replace', expected_version: 3, value: '9' } as DeltaOp)
    assert.equal(left.apply([again, again], 'e').ok, false)
    assert.equal(left.isKnown(), false)
    assert(left.apply([again], 'e').ok)
    assert.equal(left.isKnown(), true)
    left.applyErased([{ key: encodeHex(hashResourceKey('k', 'a', sha256)), leaf: null }])
    assert.equal(left.isKnown(), false)
  }
})
