import assert from 'node:assert/strict'
import { test } from 'node:test'
import { computeAddress } from 'rubicon-kernel'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import { places, verifyTwice } from '../samples/agreement.test-support.ts'
import { LedgerBuilder } from '../samples/ledger-builder.test-support.ts'
import { settle } from '../samples/sample-executors.test-support.ts'
import {
  bootstrap,
  contract,
  DEPLOY,
  dispatch,
  grant,
  writBody,
} from '../samples/sample-ledger.test-support.ts'

test('what an effect did not spend of the window of its agent is taken again', async () => {
  const builder = new LedgerBuilder()
  bootstrap(builder)
  const budget_per_agent = { window_s: '86400', calls: '1' }
  const safety_rules = { ...contract.safety_rules, budget_per_agent }
  const windowed = { ...contract, version: '2.0.0', safety_rules }
  const contract_hash = computeAddress('contract', windowed, nodeCrypto.sha256)
  builder.decree('contract', { ...DEPLOY, contract: windowed, contract_hash })
  builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  const pinned = { contract: { hash: contract_hash, seq: builder.authoritySeq() } }
  const writId = grant(builder, writBody(builder), pinned)
  const found = async (): Promise<string[]> => places(await verifyTwice(builder.text()))
  const { intent } = dispatch(builder, writId, { contract_hash })
  settle(builder, intent, 'FAILED')
  dispatch(builder, writId, { contract_hash, step_id: 'step-2' })
  assert.deepEqual(await found(), [])
  dispatch(builder, writId, { contract_hash, step_id: 'step-3' })
  const last = builder.entries.length - 1
  assert.deepEqual(await found(), [`${last} AUTHORITY_ORDER`], 'it is spent')
})
