import assert from 'node:assert/strict'
import { test } from 'node:test'
import { repeatCommand, runStorm } from './main.ts'
import { runSeed } from './storm.ts'

/** A sample that reaches every failpoint and every fault; `npm run proof` takes a thousand. */
const SEEDS = process.env.RUBICON_FULL === '1' ? 1000 : 80

test('whatever fails, nothing that must hold is broken, and no fault is left out', async () => {
  const report = await runStorm({ seeds: SEEDS })
  const first = report.violations[0]
  assert.deepEqual(report.violations, [], first === undefined ? '' : repeatCommand(first))
  assert.equal(report.seeds, SEEDS)
  assert.deepEqual(report.failpoints_missed, [])
  assert.deepEqual(report.faults_missed, [])
})

test('one seed, one history; another seed, another one (I15)', async () => {
  const [first, again, other] = [await runSeed(7), await runSeed(7), await runSeed(8)]
  assert.equal(first.history_hash, again.history_hash)
  assert.notEqual(first.history_hash, other.history_hash)
})

test('threads do not change what a seed means', async () => {
  const one = await runStorm({ seeds: 3, threads: 1 })
  const two = await runStorm({ seeds: 3, threads: 2 })
  assert.equal(one.history_hash, two.history_hash)
})
