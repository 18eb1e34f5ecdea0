/** What is done in a branch: forged by whoever has the kernel's key, or made by an engine that is wrong. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Address, computeAddress, type IntentBody, type JsonObject } from 'rubicon-kernel'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import { places, verifyTwice } from '../samples/agreement.test-support.ts'
import { LedgerBuilder } from '../samples/ledger-builder.test-support.ts'
import {
  bootstrap,
  capability,
  commit,
  DFID,
  decide,
  dispatch,
  dispatchIn,
  grant,
  rulesBody,
  worldAfter,
  writBody,
} from '../samples/sample-ledger.test-support.ts'
import { idOf, type Stage, undoing } from '../samples/sample-undoing.test-support.ts'

const { sha256 } = nodeCrypto
const BRANCH = 'what-if'

type Branched = {
  readonly builder: LedgerBuilder
  readonly writId: Address
  readonly hash: Address
}

/** A flow in a branch, whose agent has a capability of that description; its first step is leaf 12. */
function branchStage(change: JsonObject, trajectory = BRANCH): Branched {
  const builder = new LedgerBuilder()
  const described: JsonObject = { ...capability, ...change }
  const hash = computeAddress('capability', described, sha256)
  const { capabilities, ...rules } = rulesBody() as { readonly capabilities: JsonObject[] }
  const others = capabilities.slice(1)
  bootstrap(builder, {
    ...rules,
    capabilities: [{ capability: described, capability_hash: hash }, ...others],
  })
  const root = { protocol: 'rubicon/2', created_by: 'sample' }
  const { id } = builder.append('main', 'root', root)
  const source = { trajectory: 'main', seq: 0, id }
  const fork = { protocol: 'rubicon/2', source, world_after: worldAfter([]), note: '' }
  builder.append(BRANCH, 'branch', fork, {}, id)
  return { builder, writId: grant(builder, writBody(builder), {}, trajectory), hash }
}

async function found(builder: LedgerBuilder): Promise<string[]> {
  return places(await verifyTwice(builder.text()))
}

/** What both verifiers find of a step in the branch by such a capability. */
async function doneInBranch(change: JsonObject, more: Partial<IntentBody> = {}): Promise<string[]> {
  const { builder, writId, hash } = branchStage(change)
  dispatchIn(BRANCH, builder, writId, { capability_hash: hash, ...more })
  return found(builder)
}

test('an effect that leaves World is found where it was dispatched in a branch', async () => {
  assert.deepEqual(await doneInBranch({}), ['12 AUTHORITY_ORDER'])
  assert.deepEqual(await doneInBranch({ effect: 'unsafe' }), ['12 AUTHORITY_ORDER'])
  const { builder, writId, hash } = branchStage({}, 'main')
  dispatch(builder, writId, { capability_hash: hash })
  assert.deepEqual(await found(builder), [], 'in main it is in order')
})

test('what is gone with the branch is in order there', async () => {
  assert.deepEqual(await doneInBranch({ world_only: true }), [])
  assert.deepEqual(await doneInBranch({ effect: 'read' }), [])
  assert.deepEqual(await doneInBranch({ branches: 'world' }), [])
})

test('what a description says in another form than it has, it does not say', async () => {
  for (const odd of [{ world_only: 'true' }, { branches: true }, { branches: 'all' }])
    assert.deepEqual(await doneInBranch(odd), ['12 AUTHORITY_ORDER'], JSON.stringify(odd))
})

test('it is found where it was only accepted in a branch', async () => {
  const { builder, writId, hash } = branchStage({})
  const { record } = decide(builder, writId, { trajectory: BRANCH, capability_hash: hash })
  builder.append(BRANCH, 'accepted', record, { dfid: DFID })
  assert.deepEqual(await found(builder), ['12 AUTHORITY_ORDER'])
})

test('an intent that names main, and stands in a branch, does not get away with that', async () => {
  const { builder, writId, hash } = branchStage({})
  const { record } = decide(builder, writId, { capability_hash: hash })
  const place = { dfid: DFID, authority_seq: builder.authoritySeq() }
  builder.append(BRANCH, 'dispatch', { ...record, send: 1 }, place)
  const { findings } = await verifyTwice(builder.text())
  const said = findings.map(({ detail }) => detail)
  assert.ok(said.includes('its effect leaves World, and it stands in a branch'), String(said))
})

test('an instance, and what an agent below asked, is decided in main', async () => {
  const params = { class: 'agent-1', instance_id: 'agent-2', until: { flow: DFID } }
  const spawn = { policy_kind: 'SPAWN_INSTANCE', params }
  const { builder, writId } = branchStage({})
  dispatchIn(BRANCH, builder, writId, spawn)
  assert.deepEqual(await found(builder), ['12 AUTHORITY_ORDER'])
  const inMain = branchStage({}, 'main')
  dispatch(inMain.builder, inMain.writId, spawn)
  assert.deepEqual(await found(inMain.builder), [])
})

const OTHER = '019c1cf5-0f80-7000-8000-000000000001'

/** Done in main at leaf 12; chosen at leaf 15 in a flow elsewhere; undone in main. */
function chosenIn(trajectory: string): Stage {
  const { builder, writId, hash } = branchStage({}, 'main')
  const done = dispatch(builder, writId, { capability_hash: hash })
  commit(builder, done.intent)
  const own = writBody(builder, { nonce: OTHER })
  const above = grant(builder, own, { dfid: OTHER }, trajectory)
  const params = { dfid: DFID, action: 'REVERT' }
  const choice = { dfid: OTHER, policy_kind: 'COMPENSATE', step_id: 'choose', params }
  const chosen = dispatchIn(trajectory, builder, above, choice)
  return { builder, writId, done, chosen }
}

test('a choice in a branch undoes nothing in main', async () => {
  for (const [trajectory, findings] of [
    ['main', []],
    [BRANCH, ['16 AUTHORITY_ORDER']],
  ] as const) {
    const it = chosenIn(trajectory)
    undoing(it, {
      compensation: { dfid: OTHER, chosen: idOf(it.chosen) },
      body: { dfid: DFID, trajectory: 'main' },
    })
    assert.deepEqual(await found(it.builder), findings, trajectory)
  }
})
