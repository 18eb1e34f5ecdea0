import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKeyUses } from './key-uses.ts'

/** More than are written together. */
const USES = 600

test('every use of a key is listed with its place, in the order of the ledger', () => {
  const uses = createKeyUses()
  const trajectories = ['main', 'authority', 'b-1']
  const places = Array.from({ length: USES }, (_, n) => ({
    leaf: n * 3,
    trajectory: trajectories[n % 3] ?? '',
    seq: 1_000 + n,
  }))
  assert.deepEqual(
    uses.listPlaces(() => true),
    [],
  )
  for (const [n, place] of places.entries()) {
    uses.add({ seen: n % 7, at: n * 2 }, place)
    if (n === 300) assert.equal(uses.listPlaces(() => true).length, 301)
  }
  assert.deepEqual(
    uses.listPlaces(() => true),
    places,
  )
  assert.deepEqual(
    uses.listPlaces(({ seen }) => seen === 3),
    places.filter((_, n) => n % 7 === 3),
  )
  assert.deepEqual(
    uses.listPlaces(({ at }) => at >= 1_190),
    places.slice(595),
  )
  assert.deepEqual(
    uses.listPlaces(() => true),
    places,
    'asked again',
  )
})

test('one use alone is listed', () => {
  const uses = createKeyUses()
  const place = { leaf: 7, trajectory: 'main', seq: 3 }
  uses.add({ seen: 1, at: 7 }, place)
  assert.deepEqual(
    uses.listPlaces(() => true),
    [place],
  )
})

test('a use before anything was seen, or at no place that has a number, is listed too', () => {
  const uses = createKeyUses()
  uses.add({ seen: -1, at: -1 }, { leaf: null, trajectory: null, seq: null })
  uses.add({ seen: 0, at: 0 }, { leaf: 0, trajectory: 'main', seq: 0 })
  const nowhere = { leaf: -1, trajectory: '', seq: -1 }
  assert.deepEqual(
    uses.listPlaces(({ seen, at }) => seen === -1 && at === -1),
    [nowhere],
  )
  assert.deepEqual(
    uses.listPlaces(() => true),
    [nowhere, { leaf: 0, trajectory: 'main', seq: 0 }],
  )
})
