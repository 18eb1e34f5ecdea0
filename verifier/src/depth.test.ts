import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatEnvelope, toCanonicalText } from 'rubicon-kernel'
import { nodeCrypto } from './crypto/node-crypto.ts'
import type { Depth } from './report/report.ts'
import { places } from './samples/agreement.test-support.ts'
import type { LedgerBuilder } from './samples/ledger-builder.test-support.ts'
import { oracleReport, oracleSkip } from './samples/oracle.test-support.ts'
import { dispatch, sampleLedger } from './samples/sample-ledger.test-support.ts'
import { verifyAny } from './verify-any.ts'

/** What both find, having gone so deep. */
async function foundAt(depth: Depth, ledger: LedgerBuilder | string): Promise<string[]> {
  const text = typeof ledger === 'string' ? ledger : ledger.text()
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
    return toCanonicalText(dispatched)
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

test('a payload that fits its hash is read from the signatures on', async () => {
  const builder = damaged(12, (payload) => payload.replace('{', '{ '))
  builder.rehash(12)
  const { envelope, id, payload } = builder.entries[12] ?? assert.fail('there is such a leaf')
  const lines = builder.text().split('\n')
  // An export writes what it has read; here the line holds what was hashed.
  lines[13] = `{"envelope":${formatEnvelope(envelope)},"id":"${id}","payload":${payload}}`
  const text = lines.join('\n')
  const found = ['12 ENTRY_NOT_CANONICAL', '12 PAYLOAD_HASH']
  assert.deepEqual(await foundAt('structure', text), [])
  assert.deepEqual(await foundAt('signatures', text), found)
})

test('a payload that is missing where none can be erased is found at every depth', async () => {
  const { builder } = sampleLedger()
  const root = builder.entries.findIndex(({ envelope }) => {
    return envelope.kind === 'root' && envelope.trajectory === 'main'
  })
  builder.entries = builder.entries.map((entry, i) =>
    i === root ? { ...entry, payload: null } : entry,
  )
  for (const depth of ['structure', 'signatures'] as const)
    assert.deepEqual(await foundAt(depth, builder), [
      `${root} ENTRY_UNREADABLE`,
      `${root} ERASURE_UNSIGNED`,
    ])
})
