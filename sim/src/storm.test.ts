import assert from 'node:assert/strict'
import { test } from 'node:test'
import { repeatCommand, runStorm } from './main.ts'
import { runSeed } from './storm.ts'

const IS_FULL = process.env.RUBICON_FULL === '1'
/** A sample; `npm run proof` takes a thousand. */
const SEEDS = IS_FULL ? 1000 : 48
/** Where the sample does not reach every failpoint and every fault, as many more are taken, up to these. */
const MORE_SEEDS = 16
const MOST_SEEDS = IS_FULL ? 1000 : 128

test('whatever fails, nothing that must hold is broken, and no fault is left out', async () => {
  // In threads, where the test runner does not follow every promise, a seed takes half as long.
  const storms = [await runStorm({ seeds: SEEDS })]
  const listMissed = (name: 'failpoints_missed' | 'faults_missed'): readonly string[] => {
    const [first = [], ...others] = storms.map((storm): readonly string[] => storm[name])
    return first.filter((one) => others.every((missed) => missed.includes(one)))
  }
  const hasMissed = (): boolean =>
    listMissed('failpoints_missed').length + listMissed('faults_missed').length > 0
  let taken = SEEDS
  while (hasMissed() && taken < MOST_SEEDS) {
    storms.push(await runStorm({ from: taken + 1, seeds: MORE_SEEDS }))
    taken += MORE_SEEDS
  }
  const violations = storms.flatMap((storm) => storm.violations)
  const first = violations[0]
  assert.deepEqual(violations, [], first === undefined ? '' : repeatCommand(first))
  assert.equal(
    storms.reduce((sum, storm) => sum + storm.seeds, 0),
    taken,
  )
  assert.deepEqual(listMissed('failpoints_missed'), [])
  assert.deepEqual(listMissed('faults_missed'), [])
})

test('one seed, one history; another seed, another one (I15)', async () => {
  const [first, again, other] = [await runSeed(7), await runSeed(7), await runSeed(8)]
  assert.equal(first.history_hash, again.history_hash)
  assert.notEqual(first.history_hash, other.history_hash)
})

test('threads do not change what a seed means', async () => {
  const one = await runStorm({ seeds: 2, threads: 1 })
  const two = await runStorm({ seeds: 2, threads: 2 })
  assert.equal(one.history_hash, two.history_hash)
})
