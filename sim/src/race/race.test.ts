import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findServer } from '../../../runtime/src/adapters/postgres/local-server.ts'
import { runContentionProof } from './contention.ts'
import type { StoreName } from './place.ts'
import { runRevokeRaceProof } from './revoke-race.ts'
import { runTenantsProof } from './tenants.ts'

const skip = findServer() === null ? 'no Postgres server on this machine' : false
type Case = { readonly store: StoreName; readonly processes: number }
const FULL = process.env.RUBICON_FULL === '1'
/** A sample: two that share a store. One owner alone, every store, and four that share are bars of `npm run proof`. */
const sample: readonly Case[] = [{ store: 'postgres', processes: 2 }]
const others: readonly Case[] = [
  { store: 'sqlite', processes: 1 },
  { store: 'postgres', processes: 4 },
  { store: 'memory', processes: 1 },
  { store: 'postgres', processes: 1 },
]
const cases = FULL ? [...sample, ...others] : sample

for (const { store, processes } of cases) {
  const where = processes === 1 ? store : `${store}, ${processes} processes`
  const options = { skip: store === 'postgres' && skip }
  test(`200 ask for 10 of 1,000 at once, exactly 100 get it: ${where}`, options, async () => {
    const report = await runContentionProof({ store, processes })
    for (const { granted, refused, sum } of [report, report.budget])
      assert.deepEqual({ granted, refused, sum }, { granted: 100, refused: 100, sum: 1000 })
    assert.deepEqual(report.codes, ['INSUFFICIENT_LIQUIDITY'])
    assert.deepEqual(report.budget.codes, ['BUDGET_EXCEEDED'])
  })
}

const raced: readonly StoreName[] = FULL ? ['memory', 'sqlite', 'postgres'] : ['sqlite']
for (const store of raced) {
  const options = { skip: store === 'postgres' && skip }
  test(`nothing is dispatched after a revocation that races it: ${store}`, options, async () => {
    const report = await runRevokeRaceProof({ store, rounds: 1 })
    assert.equal(report.dispatched_after, 0)
    assert.ok(report.dispatched >= 64 * 3, 'there was something to stop')
  })
}

for (const store of ['sqlite', 'postgres'] as const) {
  const options = { skip: store === 'postgres' && skip }
  test(`no tenant sees a byte of another (I14): ${store}`, options, async () => {
    const report = await runTenantsProof(store)
    assert.deepEqual(report.leaks, [])
    assert.ok(report.bytes_read > 10_000)
  })
}
