/** An instance is made by a step that was sent, also where that was accepted first. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { address } from 'rubicon-kernel'
import { places, verifyTwice } from './agreement.test-support.ts'
import { LedgerBuilder } from './ledger-builder.test-support.ts'
import { nodeCrypto } from './node-crypto.ts'
import { accept, carryOut } from './sample-executors.test-support.ts'
import {
  AGENT,
  bootstrap,
  contract,
  contractHash,
  grant,
  writBody,
} from './sample-ledger.test-support.ts'

const INSTANCE = 'agent-1-a'

test('an instance may be what a step asked for that was accepted first, once it was sent', async () => {
  const ends_at = '2026-02-01T12:00:00.000Z'
  const occasion = { spawner: AGENT, until: { at: ends_at }, ends_at }
  const own = { ...contract, agent_id: INSTANCE, instance_of: AGENT, effective_until: ends_at }
  const contract_hash = address('contract', own, nodeCrypto.sha256)
  const made = { action: 'spawn', contract: own, contract_hash, of: contractHash, occasion }
  for (const isSent of [true, false]) {
    const builder = new LedgerBuilder()
    bootstrap(builder)
    builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
    const waiting = accept(builder, grant(builder, writBody(builder)), {
      policy_kind: 'SPAWN_INSTANCE',
      params: { class: AGENT, instance_id: INSTANCE },
    })
    if (isSent) carryOut(builder, waiting)
    builder.decree('contract', made, builder.kernel)
    const wanted = isSent ? [] : ['12 AUTHORITY_ORDER']
    assert.deepEqual(places(await verifyTwice(builder.text())), wanted)
  }
})
