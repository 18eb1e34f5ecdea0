import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createWorld,
  type Delta,
  encodeHex,
  hashResourceKey,
  hashResourceLeaf,
  type WorldLeaf,
} from 'rubicon-kernel'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import type { ReadEntry } from '../reading/read-entry.ts'
import { worldAfter } from '../samples/sample-ledger.test-support.ts'
import { createWorlds } from './verify-world.ts'

const create = (id: string): Delta => [{ op: 'create', kind: 'position', id, value: '1' }]
const DELTAS = ['a', 'b', 'c', 'd'].map(create)

function entry(trajectory: string, seq: number, kind: string, payload: object | null): ReadEntry {
  const id = `sha256:${String(seq).padStart(64, '0')}`
  const read = payload === null ? null : { kind, payload }
  return {
    leaf: seq,
    id,
    envelope: { trajectory, seq, kind },
    payload: read,
  } as unknown as ReadEntry
}

/** Four commits in `main`, at 1 to 4. */
function begun(erased?: readonly WorldLeaf[]): ReturnType<typeof createWorlds> {
  const worlds = createWorlds(nodeCrypto.sha256, () => erased)
  DELTAS.forEach((delta, i) => {
    const world_after = worldAfter(DELTAS.slice(0, i + 1))
    assert.deepEqual(worlds.check(entry('main', i + 1, 'commit', { delta, world_after })), [])
  })
  return worlds
}

const branch = (seq: number, world_after: string): ReadEntry =>
  entry(`from-${seq}`, 0, 'branch', { source: { trajectory: 'main', seq }, world_after })

test('a branch has the World of the entry that it forks from, however old that is', () => {
  const worlds = begun()
  for (const seq of [0, 1, 2, 3, 4]) {
    assert.deepEqual(worlds.check(branch(seq, worldAfter(DELTAS.slice(0, seq)))), [])
    const next = entry(`from-${seq}`, 1, 'commit', {
      delta: create('own'),
      world_after: worldAfter([...DELTAS.slice(0, seq), create('own')]),
    })
    assert.deepEqual(worlds.check(next), [])
  }
  assert.equal(worlds.check(branch(2, worldAfter(DELTAS.slice(0, 3)))).length, 1)
  assert.deepEqual(worlds.close(), [])
})

test('another World than was recorded is found where it stands, and after an erasure at the end', () => {
  const worlds = begun()
  const wrong = { delta: create('e'), world_after: worldAfter([]) }
  assert.equal(worlds.check(entry('main', 5, 'commit', wrong)).length, 1)
  assert.deepEqual(worlds.check(entry('other', 1, 'commit', null)), [])
  assert.deepEqual(worlds.check(entry('main', 6, 'commit', { ...wrong, delta: create('f') })), [])
  assert.deepEqual(
    worlds.close().map(({ leaf }) => leaf),
    [6],
  )
})

test('what forks from a World that nobody knows any more is as little known', () => {
  const worlds = begun()
  const wrong = { delta: create('own'), world_after: worldAfter([]) }
  worlds.check(entry('main', 5, 'commit', null))
  worlds.check(branch(5, worldAfter([])))
  worlds.check(entry('from-5', 1, 'commit', wrong))
  worlds.check(branch(4, worldAfter(DELTAS)))
  worlds.check(entry('from-4', 7, 'commit', wrong))
  assert.deepEqual(
    worlds.close().map(({ leaf }) => leaf),
    [7],
    'what was known before it still is',
  )
})

test('what forks from an erased commit has what its erasure says that it made', () => {
  const { sha256 } = nodeCrypto
  const world = createWorld(sha256)
  world.apply(create('e'), '')
  const made = world.get('position', 'e')
  assert.ok(made)
  const key = encodeHex(hashResourceKey('position', 'e', sha256))
  const leaf = encodeHex(hashResourceLeaf(made, sha256))
  const after = [...DELTAS, create('e')]
  for (const [recorded, found] of [
    [after, 0],
    [DELTAS, 1],
  ] as const) {
    const worlds = begun([{ key, leaf }])
    worlds.check(entry('main', 5, 'commit', null))
    worlds.check(branch(5, worldAfter(recorded)))
    assert.equal(worlds.close().length, found)
  }
})
