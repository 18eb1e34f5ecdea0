import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Contract, computeAddress, type JsonObject } from 'rubicon-kernel'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import { places, verifyTwice } from '../samples/agreement.test-support.ts'
import { LedgerBuilder } from '../samples/ledger-builder.test-support.ts'
import {
  AGENT,
  bootstrap,
  contract,
  contractHash,
  DEPLOY,
  dispatch,
  grant,
  writBody,
} from '../samples/sample-ledger.test-support.ts'

const { sha256 } = nodeCrypto
const INSTANCE = 'agent-1-a'
const own: Contract = { ...contract, agent_id: INSTANCE, instance_of: contract.agent_id }

function hashOf(one: Contract): ReturnType<typeof computeAddress> {
  return computeAddress('contract', one, sha256)
}

/** The class, a step that asks for the instance, and what it made. */
function spawn(made: Contract, until: JsonObject, ends_at: string): LedgerBuilder {
  const builder = new LedgerBuilder()
  bootstrap(builder)
  builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  const params = { class: contract.agent_id, instance_id: INSTANCE, until }
  dispatch(builder, grant(builder, writBody(builder)), { policy_kind: 'SPAWN_INSTANCE', params })
  const occasion = { spawner: AGENT, until, ends_at }
  const body = { contract: made, contract_hash: hashOf(made), of: contractHash, occasion }
  builder.decree('contract', { action: 'spawn', ...body }, builder.kernel)
  return builder
}

/** Whether the last entry is found, and that nothing else is. */
async function isFound(builder: LedgerBuilder): Promise<boolean> {
  const found = places(await verifyTwice(builder.text()))
  if (found.length > 0) assert.deepEqual(found, [`${builder.entries.length - 1} AUTHORITY_ORDER`])
  return found.length > 0
}

test('AUTHORITY_ORDER: an instance that an agent spawned lives for more than a week', async () => {
  const make = (ends_at: string): LedgerBuilder => {
    return spawn({ ...own, effective_until: ends_at }, { at: ends_at }, ends_at)
  }
  // Each takes as long to write as any other.
  const made = Date.parse(make('2026-02-02T00:00:00.000Z').now())
  const weekAfter = (ms: number): string => new Date(made + 604_800_000 + ms).toISOString()
  assert.ok(!(await isFound(make(weekAfter(0)))))
  assert.ok(await isFound(make(weekAfter(1))))
})

test('AUTHORITY_ORDER: an instance is deployed, so that nothing holds it inside its class', async () => {
  const ends = '2026-02-01T12:00:00.000Z'
  const deploy = (changed: Contract): LedgerBuilder => {
    const builder = spawn({ ...own, effective_until: ends }, { at: ends }, ends)
    builder.decree('contract', { ...DEPLOY, contract: changed, contract_hash: hashOf(changed) })
    return builder
  }
  const { instance_of: _, ...plain } = { ...own, version: '9.0.0' }
  const other = 'agent-1-b'
  assert.ok(await isFound(deploy(plain)), 'it was spawned before')
  assert.ok(await isFound(deploy({ ...own, version: '9.0.0', agent_id: other })), 'it has a class')
  assert.ok(!(await isFound(deploy({ ...plain, agent_id: other }))))
})
