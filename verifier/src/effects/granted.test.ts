/** Contracts at the moment of what is done under them, and descriptions that say what nobody can read. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Address, computeAddress, type JsonObject } from 'rubicon-kernel'
import type { Writs } from '../authority/writs.ts'
import { listWritChain } from '../authority/writs.ts'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import { places, verifyTwice } from '../samples/agreement.test-support.ts'
import { LedgerBuilder } from '../samples/ledger-builder.test-support.ts'
import { accept, carryOut } from '../samples/sample-executors.test-support.ts'
import {
  bootstrap,
  capability,
  contract,
  DEPLOY,
  dispatch,
  grant,
  rulesBody,
  writBody,
} from '../samples/sample-ledger.test-support.ts'
import { grantProblems } from './granted.ts'

const { sha256 } = nodeCrypto

async function found(builder: LedgerBuilder): Promise<string[]> {
  return places(await verifyTwice(builder.text()))
}

test('a contract that has ended since its flow was opened grants nothing any more', async () => {
  const builder = new LedgerBuilder()
  bootstrap(builder)
  builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  const ends = { ...contract, version: '2.0.0', effective_until: '2026-02-01T09:00:14.000Z' }
  const contract_hash = computeAddress('contract', ends, sha256)
  builder.decree('contract', { ...DEPLOY, contract: ends, contract_hash })
  const writId = grant(builder, writBody(builder), { contract: { hash: contract_hash, seq: 9 } })
  const waiting = accept(builder, writId, { contract_hash })
  dispatch(builder, writId, { contract_hash, step_id: 'step-2' })
  assert.deepEqual(await found(builder), [], 'decided in the second before its end')
  dispatch(builder, writId, { contract_hash, step_id: 'step-3' })
  carryOut(builder, waiting)
  assert.deepEqual(await found(builder), ['14 AUTHORITY_ORDER', '15 AUTHORITY_ORDER'])
})

/** Sent by a capability with these scopes, at leaf 11. */
async function scopedBy(scopes: JsonObject): Promise<string[]> {
  const described = { ...capability, scopes }
  const capability_hash = computeAddress('capability', described, sha256)
  const builder = new LedgerBuilder()
  const capabilities = [{ capability: described, capability_hash }]
  bootstrap(builder, rulesBody({ capabilities }))
  builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  dispatch(builder, grant(builder, writBody(builder)), { capability_hash })
  return found(builder)
}

test('scopes of a capability are pointers, all of them, or it has none', async () => {
  assert.deepEqual(await scopedBy({}), [])
  assert.deepEqual(await scopedBy({ items: '/quantity' }), ['11 AUTHORITY_ORDER'], 'not granted')
  assert.deepEqual(await scopedBy({ items: '/quantity', others: 5 }), [])
})

test('of a chain that is too long as much is looked at as one may have', () => {
  let left = 20
  const writs = {
    get(parent: Address) {
      left -= 1
      return left < 0 ? undefined : { parent }
    },
  }
  const chain = listWritChain(writs as unknown as Writs, `sha256:${'0'.repeat(64)}`)
  assert.equal(chain.length, 16)
})

type Granted = Parameters<typeof grantProblems>

/** What is wrong with an intent of that kind, whose contract and writ grant BUY. */
function granted(kind: string, rules: object = {}, lifts?: readonly string[]): string[] {
  const intent = {
    policy_kind: kind,
    params: {},
    ...(lifts === undefined ? {} : { approval: { lifts } }),
  }
  const chain = [writBody(new LedgerBuilder(), { scopes: [{ kind: 'BUY' }] })]
  const permissions = { ...contract.permissions, policy_kinds: ['BUY'], forbidden_kinds: [] }
  const ruled = { ...contract, permissions, ...rules }
  const description = { ...capability, scopes: {} }
  return grantProblems(
    intent as unknown as Granted[0],
    ruled as unknown as Granted[1],
    chain,
    description as unknown as Granted[3],
  )
}

test('a kind is granted by contract and writ, but for those that nobody has to grant', () => {
  assert.deepEqual(granted('BUY'), [])
  assert.deepEqual(granted('ESCALATE'), [])
  assert.deepEqual(granted('SELL'), [
    'its contract does not grant `SELL`',
    'a writ does not grant `SELL`',
  ])
})

test('who may only propose does what somebody approved, and nobody else is asked for that', () => {
  const propose = { authority: 'PROPOSE' }
  const unapproved = ['its agent may only propose, and nobody approved it']
  assert.deepEqual(granted('BUY', propose), unapproved)
  assert.deepEqual(granted('BUY', propose, ['kind']), unapproved)
  assert.deepEqual(granted('BUY', propose, ['authority']), [])
})
