import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isExceptional } from './kill/exceptions.ts'
import { runKillProof } from './kill/main.ts'

/** A sample: `sim kill --kills 200` reaches every place, and is part of the proof. */
const KILLS = 4

test('a few kills: nothing told is lost, nothing happens twice, everything settles', async () => {
  const report = await runKillProof({ kills: KILLS, seed: 3 })
  assert.deepEqual(report.findings, [])
  assert.equal(report.kills, KILLS)
  assert.equal(report.lost, 0)
  assert.equal(report.second_effects, 0)
  assert.equal(report.unsettled, 0)
  assert.ok(report.acknowledged > 0 && report.effects > 0, 'it was under load')
  const places = Object.keys(report.by_failpoint)
  assert.ok(places.some(isExceptional), 'a sample of what goes beyond single decisions')
  assert.ok(!places.every(isExceptional))
})
