import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Address, computeAddress } from 'rubicon-kernel'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import { verifyTwice } from '../samples/agreement.test-support.ts'
import { LedgerBuilder } from '../samples/ledger-builder.test-support.ts'
import { AGENT, bootstrap, contractHash } from '../samples/sample-ledger.test-support.ts'

const { sha256 } = nodeCrypto

test('instances of instances are read to the end, however many there are', async () => {
  const builder = new LedgerBuilder()
  bootstrap(builder)
  const signature = { ...builder.kernel.sign('contract', {}), key_id: 'kernel-0000000000000000' }
  let [of, instance_of]: [Address, string] = [contractHash, AGENT]
  for (let number = 0; number < 1_200; number += 1) {
    const made = { agent_id: `nested-${number}`, version: '1', instance_of }
    const contract_hash = computeAddress('contract', made, sha256)
    const body = { action: 'spawn', contract: made, contract_hash, of }
    builder.append('authority', 'contract', { body, signature })
    ;[of, instance_of] = [contract_hash, made.agent_id]
  }
  const { ok, entries } = await verifyTwice(builder.text())
  assert.deepEqual({ ok, entries }, { ok: false, entries: builder.entries.length })
})
