/** Monitors in a ledger: who may put one in force, and what a trip must say. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { computeAddress, type JsonObject } from 'rubicon-kernel'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import { places, verifyTwice } from '../samples/agreement.test-support.ts'
import { LedgerBuilder } from '../samples/ledger-builder.test-support.ts'
import { bootstrap, contract } from '../samples/sample-ledger.test-support.ts'

const MONITOR: JsonObject = {
  api_version: 'rubicon/v1',
  kind: 'Monitor',
  name: 'mean',
  agents: [contract.agent_id],
  policy_kinds: [],
  statuses: ['SUCCESS'],
  statistic: { kind: 'mean', value: 'measure:x', max: '1' },
  window: { executions: 20 },
  min_samples: 20,
  max_unreadable: 0,
}
const HASH = computeAddress('monitor', MONITOR, nodeCrypto.sha256)
const WATCH: JsonObject = { action: 'watch', monitor: MONITOR, monitor_hash: HASH }
/** The leaf of the monitor: behind keys, policy, contract and lifecycle. */
const PLACE = '9'

const DETAILS: JsonObject = {
  agent_id: contract.agent_id,
  monitor: 'mean',
  monitor_hash: HASH,
  statistic: 'mean',
  value: '1.5',
  bound: 'max',
  threshold: '1',
  window: { executions: 20 },
  samples: 20,
  unreadable: 0,
  executions_behind: 20,
  flows: ['019e830e-29a0-7938-9214-6ca82fac1854'],
}
const TRIP: JsonObject = {
  salt: 'AAAAAAAAAAAAAAAAAAAAAA==',
  source: 'monitor',
  finding: 'tripped',
  reason_code: 'MONITOR_TRIPPED',
  details: DETAILS,
}

async function decreed(body: JsonObject, by: 'operator' | 'kernel'): Promise<readonly string[]> {
  const builder = new LedgerBuilder()
  bootstrap(builder)
  builder.decree('policy', body, builder[by])
  return places(await verifyTwice(builder.text()))
}

async function tripped(payload: JsonObject): Promise<readonly string[]> {
  const builder = new LedgerBuilder()
  bootstrap(builder)
  builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  builder.append('main', 'evidence', payload)
  return places(await verifyTwice(builder.text()))
}

test('an operator puts monitors in force and takes them back', async () => {
  assert.deepEqual(await decreed(WATCH, 'operator'), [])
  const withdrawn = { action: 'unwatch', name: 'mean', reason: 'noise' }
  assert.deepEqual(await decreed(withdrawn, 'operator'), [])
})

test('ENTRY_SIGNATURE: the runtime cannot say what watches it', async () => {
  for (const body of [WATCH, { action: 'unwatch', name: 'mean', reason: 'noise' }])
    assert.deepEqual(await decreed(body, 'kernel'), [`${PLACE} ENTRY_SIGNATURE`])
})

test('ENTRY_SIGNATURE: the hash is that of the monitor', async () => {
  const other = { ...MONITOR, min_samples: 1 }
  const found = await decreed({ ...WATCH, monitor: other }, 'operator')
  assert.deepEqual(found, [`${PLACE} ENTRY_SIGNATURE`])
})

test('a trip names the agent, the monitor, what it found and the flows', async () => {
  assert.deepEqual(await tripped(TRIP), [])
  assert.deepEqual(await tripped({ ...TRIP, details: { ...DETAILS, value: null } }), [])
})

test('ENTRY_UNREADABLE: a trip that leaves something out, or says more', async () => {
  const { flows, ...less } = DETAILS
  assert.ok(Array.isArray(flows))
  for (const details of [less, { ...DETAILS, why: 'greed' }, { ...DETAILS, bound: 'mean' }])
    assert.match((await tripped({ ...TRIP, details }))[0] ?? '', /^10 ENTRY_UNREADABLE/)
})
