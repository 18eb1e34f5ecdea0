import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalText } from 'rubicon-kernel'
import { places } from './agreement.test-support.ts'
import type { Depth } from './audit.ts'
import type { LedgerBuilder } from './ledger-builder.test-support.ts'
import { nodeCrypto } from './node-crypto.ts'
import { oracleReport, oracleSkip } from './oracle.test-support.ts'
import { dispatch, sampleLedger } from './sample-ledger.test-support.ts'
import { verifyAny } from './verify-any.ts'

/** What both find, having gone so deep. */
async function foundAt(depth: Depth, builder: LedgerBuilder): Promise<string[]> {
  const text = builder.text()
  const report = verifyAny(text, nodeCrypto, { depth })
  assert.equal(report.depth, depth)
  if (oracleSkip !== false) return places(report)
  const second = await oracleReport(text, { depth })
  assert.equal(second.depth, depth)
  assert.deepEqual(places(second), places(report))
  return places(report)
}

function damaged(leaf: number, change: (payload: string) => string): LedgerBuilder {
  const { builder } = sampleLedger()
  builder.entries = builder.entries.map((entry, i) =>
    i === leaf ? { ...entry, payload: change(entry.payload ?? '') } : entry,
  )
  return builder
}

test('what holds, holds at every depth', async () => {
  const { builder } = sampleLedger()
  for (const depth of ['structure', 'signatures', 'fold'] as const)
    assert.deepEqual(await foundAt(depth, builder), [])
})

test('what is lawless is found by the fold alone', async () => {
  const { builder, writId } = sampleLedger()
  dispatch(builder, writId)
  const last = `${builder.entries.length - 1} AUTHORITY_ORDER`
  assert.deepEqual(await foundAt('structure', builder), [])
  assert.deepEqual(await foundAt('signatures', builder), [])
  assert.deepEqual(await foundAt('fold', builder), [last])
})

test('what was signed otherwise is found with the signatures', async () => {
  const builder = damaged(11, (payload) => {
    const dispatched = JSON.parse(payload)
    dispatched.trace = [{ stage: 'repeat', said: 'pass', read: [] }]
    return canonicalText(dispatched)
  })
  builder.rehash(11)
  assert.deepEqual(await foundAt('structure', builder), [])
  for (const depth of ['signatures', 'fold'] as const)
    assert.deepEqual(await foundAt(depth, builder), ['11 ENTRY_SIGNATURE'])
})

test('what was changed afterwards is found at every depth', async () => {
  const builder = damaged(12, (payload) => payload.replace('c2FsdA==', 'c2FsdB=='))
  for (const depth of ['structure', 'signatures', 'fold'] as const)
    assert.deepEqual(await foundAt(depth, builder), ['12 PAYLOAD_HASH'])
})
