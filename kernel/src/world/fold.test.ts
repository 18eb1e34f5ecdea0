import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { hex } from '../canonical/bytes.ts'
import type { Sha256 } from '../canonical/sha256.ts'
import type { DeltaOp } from './delta.ts'
import { createWorld, type World } from './fold.ts'
import { resourceKey, resourceLeaf } from './resource.ts'
import { trieRoot } from './trie.ts'

const sha256: Sha256 = (data) => hash('sha256', data, 'buffer')
const create = (id: string): DeltaOp => ({ op: 'create', kind: 'k', id, value: '0' })
const increment = (id: string): DeltaOp => ({ op: 'increment', kind: 'k', id, by: '1' })

/** The root by the definition, from nothing but the resources. */
function rebuiltRoot(world: World): string {
  const leaves = [...world.resources()].map((resource) => ({
    key: resourceKey(resource.kind, resource.id, sha256),
    hash: resourceLeaf(resource, sha256),
  }))
  return hex(trieRoot(leaves, sha256))
}

test('a new world is empty', () => {
  const world = createWorld(sha256)
  assert.equal(hex(world.root()), '00'.repeat(32))
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
        if (ask) assert.equal(hex(world.root()), rebuiltRoot(world))
      }
      assert.equal(hex(world.root()), rebuiltRoot(world))
    }),
  )
})

test('a delta that fails changes nothing, not even for its first ops', () => {
  const world = createWorld(sha256)
  assert(world.apply([create('a')], 'e1').ok)
  const before = hex(world.root())
  const failed = world.apply([increment('a'), create('b'), create('a')], 'e2')
  assert(!failed.ok)
  assert.equal(failed.error.op, 2)
  assert.equal(hex(world.root()), before)
  assert.equal(world.get('k', 'a')?.last_entry, 'e1')
  assert.equal(world.get('k', 'b'), undefined)
})

test('a retracted resource stays in the world and in its root', () => {
  const world = createWorld(sha256)
  assert(world.apply([create('a')], 'e1').ok)
  assert(world.apply([{ op: 'retract', kind: 'k', id: 'a', expected_version: 1 }], 'e2').ok)
  assert.equal(world.get('k', 'a')?.retracted, true)
  assert.equal([...world.resources()].length, 1)
  assert.equal(hex(world.root()), rebuiltRoot(world))
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
  assert.equal(hex(fork.root()), hex(world.root()))
  const shared = hex(world.root())

  assert(fork.apply([increment('a')], 'e2').ok)
  assert.notEqual(hex(fork.root()), shared)
  assert.equal(hex(world.root()), shared)
  assert(world.apply([create('c')], 'e3').ok)
  assert.equal(fork.get('k', 'c'), undefined)
  assert.equal(hex(fork.root()), rebuiltRoot(fork))
  assert.equal(hex(world.root()), rebuiltRoot(world))
})

test('asking for a kind that cannot exist finds nothing', () => {
  const world = createWorld(sha256)
  assert(world.apply([{ op: 'create', kind: 'a', id: 'b\0c', value: 1 }], 'e').ok)
  assert.equal(world.get('a', 'b\0c')?.value, 1)
  assert.equal(world.get('a\0b', 'c'), undefined)
  assert.equal(world.get('', 'b\0c'), undefined)
})
