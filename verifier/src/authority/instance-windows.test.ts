import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Contract, computeAddress } from 'rubicon-kernel'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import { places, verifyTwice } from '../samples/agreement.test-support.ts'
import { LedgerBuilder } from '../samples/ledger-builder.test-support.ts'
import { bootstrap, contract, contractHash } from '../samples/sample-ledger.test-support.ts'

/** Of a class that says nothing of windows: what is found about an instance that does. */
async function find(windows: Partial<Contract['safety_rules']>): Promise<string[]> {
  const builder = new LedgerBuilder()
  bootstrap(builder)
  const own: Contract = {
    ...contract,
    agent_id: 'agent-1-a',
    instance_of: contract.agent_id,
    safety_rules: { ...contract.safety_rules, ...windows },
  }
  const contract_hash = computeAddress('contract', own, nodeCrypto.sha256)
  const body = { action: 'spawn', contract: own, contract_hash, of: contractHash }
  builder.decree('contract', body, builder.kernel)
  return places(await verifyTwice(builder.text()))
}

test('AUTHORITY_ORDER: an instance whose requests wait longer than those of its class', async () => {
  const wider = ['9 AUTHORITY_ORDER']
  assert.deepEqual(await find({ approval_window_s: 3_599 }), [])
  assert.deepEqual(await find({ approval_window_s: 3_601 }), wider)
  for (const approval_window_s of [59, 86_401, 3_600])
    assert.deepEqual(await find({ approval_window_s }), wider, 'it is no contract as one is stored')
})

test('an instance may remember calls that its class does not, for up to a day', async () => {
  assert.deepEqual(await find({ repeat_window_s: 1 }), [])
  assert.deepEqual(await find({ repeat_window_s: 86_400 }), [])
  for (const repeat_window_s of [0, 86_401])
    assert.deepEqual(await find({ repeat_window_s }), ['9 AUTHORITY_ORDER'])
})
