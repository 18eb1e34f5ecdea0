import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HUNTED, runPlantedProof } from './planted.ts'

/** A sample, for each has a process of its own; `npm run proof` plants all of them. */
const EVERY = process.env.RUBICON_FULL === '1' ? 1 : 5

test('a planted bug is caught', async () => {
  assert.equal(HUNTED.length, 78)
  const planted = HUNTED.filter((_, index) => index % EVERY === 0)
  const { bugs, caught, results } = await runPlantedProof({ bugs: planted })
  assert.equal(caught, bugs, JSON.stringify(results))
  assert.equal(bugs, planted.length)
})
