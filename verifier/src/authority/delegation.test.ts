/** Forged by whoever holds the kernel's keys: what goes on under the writ of an agent that was stopped. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Address, type Contract, computeAddress, toCanonicalText } from 'rubicon-kernel'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import { places, verifyTwice } from '../samples/agreement.test-support.ts'
import { LedgerBuilder } from '../samples/ledger-builder.test-support.ts'
import { accept } from '../samples/sample-executors.test-support.ts'
import {
  bootstrap,
  contract,
  DEPLOY,
  DFID,
  dispatch,
  grant,
  move,
  writBody,
} from '../samples/sample-ledger.test-support.ts'

const HELPER: Contract = { ...contract, agent_id: 'helper' }
const helperHash: Address = computeAddress('contract', HELPER, nodeCrypto.sha256)
const CHILD = '019c1200-0000-7000-8000-00000000000c'
const GRANDCHILD = '019c1200-0000-7000-8000-00000000000d'

type Delegated = {
  readonly builder: LedgerBuilder
  readonly child: Address
  readonly grandchild: Address
  /** Of no flow, and nobody's but the helper's. */
  readonly named: Address
}

/** A flow of the agent, below it one of a helper, and below that another. */
function delegated(): Delegated {
  const builder = new LedgerBuilder()
  bootstrap(builder)
  builder.decree('contract', { ...DEPLOY, contract: HELPER, contract_hash: helperHash })
  move(builder, null, 'INITIALIZING', 'operator', 'helper')
  move(builder, 'INITIALIZING', 'ACTIVE', 'registry', 'helper')
  builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  const subject_key = builder.issuer.id
  const scopes = [{ kind: 'BUY' }, { kind: 'SPAWN_CHILD' }]
  const delegation = { max_depth: 2, may_delegate: true }
  const parent = grant(builder, { ...writBody(builder), scopes, delegation, subject_key })
  const below = (dfid: string, above: string, from: Address, max_depth: number): Address => {
    const body = writBody(builder, {
      subject: 'helper',
      nonce: dfid,
      parent: from,
      subject_key,
      scopes,
      budget: { calls: String(2 + max_depth) },
      delegation: { max_depth, may_delegate: max_depth > 0 },
    })
    const contract = { hash: helperHash, seq: 9 }
    return grant(builder, body, { dfid, agent_id: 'helper', parent_dfid: above, contract })
  }
  const child = below(CHILD, DFID, parent, 1)
  const grandchild = below(GRANDCHILD, CHILD, child, 0)
  const body = writBody(builder, { subject: 'helper', nonce: GRANDCHILD.replace('0d', '0f') })
  const named = computeAddress('writ', body, nodeCrypto.sha256)
  const writ = { id: named, body, signature: { ...builder.issuer.sign('writ', body) } }
  builder.append('main', 'writ', { salt: 'c2FsdA==', writ })
  return { builder, child, grandchild, named }
}

/** What the helper does in a flow, on a writ. */
const acts = (dfid: string) => ({
  dfid,
  agent_id: 'helper',
  contract_hash: helperHash,
  step_id: `step-${dfid}`,
})

async function found({ builder }: Delegated): Promise<readonly string[]> {
  return places(await verifyTwice(builder.text()))
}

function last({ builder: { entries } }: Delegated): string[] {
  return [`${entries.length - 1} AUTHORITY_ORDER`]
}

for (const status of ['SUSPENDED', 'RETIRED'] as const)
  test(`AUTHORITY_ORDER: a dispatch below a flow whose agent is ${status}, whatever writ is named`, async () => {
    for (const [dfid, by] of [
      [CHILD, 'child'],
      [GRANDCHILD, 'grandchild'],
      [GRANDCHILD, 'named'],
    ] as const) {
      const before = delegated()
      dispatch(before.builder, before[by], acts(dfid))
      move(before.builder, 'ACTIVE', status, 'operator')
      assert.deepEqual(await found(before), [], `${by} before`)
      const after = delegated()
      move(after.builder, 'ACTIVE', status, 'operator')
      dispatch(after.builder, after[by], acts(dfid))
      assert.deepEqual(await found(after), last(after), `${by} after`)
      const bundle = toCanonicalText(after.builder.bundle(dfid, undefined))
      const codes = places(await verifyTwice(bundle)).map((place) => place.split(' ')[1])
      assert.ok(codes.includes('AUTHORITY_ORDER'), `${by} in a bundle`)
    }
  })

test('AUTHORITY_ORDER: what is accepted below a flow whose agent is stopped; after a lift it verifies', async () => {
  const stopped = delegated()
  move(stopped.builder, 'ACTIVE', 'SUSPENDED', 'operator')
  accept(stopped.builder, stopped.child, acts(CHILD))
  assert.deepEqual(await found(stopped), last(stopped))
  const lifted = delegated()
  move(lifted.builder, 'ACTIVE', 'SUSPENDED', 'operator')
  move(lifted.builder, 'SUSPENDED', 'ACTIVE', 'operator')
  accept(lifted.builder, lifted.child, acts(CHILD))
  assert.deepEqual(await found(lifted), [])
})

test('AUTHORITY_ORDER: a flow opened two below that of an agent that is stopped', async () => {
  const it = delegated()
  const { builder, child } = it
  move(builder, 'ACTIVE', 'SUSPENDED', 'operator')
  const dfid = GRANDCHILD.replace('0d', '0e')
  const body = writBody(builder, {
    subject: 'helper',
    nonce: dfid,
    parent: child,
    scopes: [{ kind: 'BUY' }],
    budget: { calls: '1' },
    delegation: { max_depth: 0, may_delegate: false },
  })
  const contract = { hash: helperHash, seq: 9 }
  grant(builder, body, { dfid, agent_id: 'helper', parent_dfid: CHILD, contract })
  assert.deepEqual(await found(it), [`${builder.entries.length - 2} AUTHORITY_ORDER`])
})
