import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getPatch } from '../patches/all.ts'
import { TRICKS } from './all-tricks.ts'
import { runHostilePlantedProof, runHostileProof } from './main.ts'

const FULL = process.env.RUBICON_FULL === '1'
/** Each has a process of its own: all of them, with one for each kind of goal, are bars of `npm run proof`. */
const SAMPLE: readonly string[] = ['hide_the_account_behind_a_literal_key', 'cancel_anothers_flow']

test('there are at least 130 tricks, each with a name and a mistake of its own to wait for', () => {
  assert.ok(TRICKS.length >= 130, String(TRICKS.length))
  assert.equal(new Set(TRICKS.map(({ name }) => name)).size, TRICKS.length)
  for (const { patch } of TRICKS) getPatch(patch)
})

test('a hostile agent gets nothing that it may not have', async () => {
  // To start another thread takes as long as its share.
  const report = await runHostileProof(FULL ? { seeds: 1000 } : { seeds: 4, threads: 1 })
  assert.deepEqual(report.breaches, [])
  assert.equal(report.succeeded, 0)
  assert.ok(report.attempts >= report.seeds * 10, JSON.stringify(report))
})

test('its tricks succeed against a runtime with the mistakes that they are meant for', async () => {
  const { results } = await runHostilePlantedProof(FULL ? {} : { tricks: SAMPLE })
  assert.deepEqual(
    results.filter(({ succeeded }) => !succeeded),
    [],
  )
})
