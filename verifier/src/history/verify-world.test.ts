import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Delta } from 'rubicon-kernel'
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
function begun(): ReturnType<typeof createWorlds> {
  const worlds = createWorlds(nodeCrypto.sha256, () => undefined)
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
