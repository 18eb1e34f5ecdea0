import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runKillProof } from './kill/main.ts'

/** A sample, which dies where it happens to get: `sim kill --kills 200` reaches every place, and is part of the proof. */
const KILLS = 2

test('a few kills: nothing told is lost, nothing happens twice, everything settles', async () => {
  const report = await runKillProof({ kills: KILLS, seed: 3 })
  assert.deepEqual(report.findings, [])
  assert.ok(report.kills >= KILLS)
  assert.equal(report.lost, 0)
  assert.equal(report.second_effects, 0)
  assert.equal(report.unsettled, 0)
  assert.ok(report.acknowledged > 0 && report.effects > 0, 'it was under load')
})
