import assert from 'node:assert/strict'
import { test } from 'node:test'
import { places, verifyTwice } from '../samples/agreement.test-support.ts'
import { LedgerBuilder } from '../samples/ledger-builder.test-support.ts'
import {
  bootstrap,
  capability,
  contractHash,
  DFID,
  decide,
  grant,
  rulesBody,
  writBody,
} from '../samples/sample-ledger.test-support.ts'

test('ENTRY_SIGNATURE: rules that name a capability by another hash than it has', async () => {
  const builder = new LedgerBuilder()
  bootstrap(builder, rulesBody({ capabilities: [{ capability, capability_hash: contractHash }] }))
  assert.deepEqual(places(await verifyTwice(builder.text())), ['5 ENTRY_SIGNATURE'])
})

test('ENTRY_SIGNATURE: what was refused on other facts than are named', async () => {
  for (const isNamed of [true, false]) {
    const builder = new LedgerBuilder()
    bootstrap(builder)
    builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
    const { record } = decide(builder, grant(builder, writBody(builder)))
    const { intent: _, jit: __, facts_hash = null, ...decision } = record
    const refused = { stage: 'policy', gate: 4, reason_code: 'POLICY_DENIED', details: {} }
    const payload = { ...decision, ...refused, facts_hash: isNamed ? facts_hash : contractHash }
    builder.append('main', 'rejection', payload, { dfid: DFID })
    const wanted = isNamed ? [] : ['11 ENTRY_SIGNATURE']
    assert.deepEqual(places(await verifyTwice(builder.text())), wanted)
  }
})

test('ENTRY_SIGNATURE: a writ that another issuer signed than it names', async () => {
  const builder = new LedgerBuilder()
  bootstrap(builder)
  builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  grant(builder, writBody(builder, { issuer_key: builder.operator.id }))
  assert.deepEqual(places(await verifyTwice(builder.text())), ['10 ENTRY_SIGNATURE'])
})
