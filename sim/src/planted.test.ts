import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listHuntSeeds } from './hunt-seeds.ts'
import { drawCommonBugs, HUNTED, runPlantedProof } from './planted.ts'

const FULL = process.env.RUBICON_FULL === '1'
/**
 * Each has a process of its own. A few of those that show in most seeds, others with every change of the engine, prove
 * that the storm still shows mistakes and that the auditor sees them; that it finds every single one, the rare
 * ones too, is proven by `npm run proof`.
 */
const SAMPLE = 4

test('a planted bug is caught', async (t) => {
  assert.equal(HUNTED.length, 96)
  const planted = FULL ? HUNTED : drawCommonBugs(SAMPLE)
  const { bugs, caught, results } = await runPlantedProof({ bugs: planted })
  t.diagnostic(results.map(({ bug, seeds }) => `${bug} after ${seeds}`).join(', '))
  assert.equal(caught, bugs, JSON.stringify(results))
  assert.equal(bugs, FULL ? HUNTED.length : SAMPLE)
})

test('the sample is the same for the same sources, and no bug is in it twice', () => {
  assert.deepEqual(drawCommonBugs(SAMPLE), drawCommonBugs(SAMPLE))
  const common = drawCommonBugs(HUNTED.length)
  assert.equal(new Set(common).size, common.length)
  assert.ok(common.every((bug) => HUNTED.includes(bug)))
  assert.ok(common.length > SAMPLE)
})

test('a hunt takes every seed once, those of the kind that showed the bug first', () => {
  const seeds = listHuntSeeds(100, 46)
  assert.deepEqual(seeds.slice(0, 7), [46, 62, 78, 94, 14, 30, 47])
  assert.equal(new Set(seeds).size, 100)
  assert.deepEqual(listHuntSeeds(3, null), [1, 2, 3])
})
