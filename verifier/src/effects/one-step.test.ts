/** With its step a flow that was opened for one has ended: nobody has to say so. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Address, computeAddress, type JsonObject } from 'rubicon-kernel'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import { places, verifyTwice } from '../samples/agreement.test-support.ts'
import { eraseFlow } from '../samples/erase-flow.test-support.ts'
import { LedgerBuilder } from '../samples/ledger-builder.test-support.ts'
import {
  abandon,
  accept,
  carryOut,
  learn,
  settle,
} from '../samples/sample-executors.test-support.ts'
import {
  bootstrap,
  capability,
  commit,
  DFID,
  dispatch,
  grant,
  rulesBody,
  sampleDelta,
  worldAfter,
  writBody,
} from '../samples/sample-ledger.test-support.ts'

type Stage = { readonly builder: LedgerBuilder; readonly writId: Address }

const ASKING = { ...capability, kind: 'ESCALATE' }
const asking: Address = computeAddress('capability', ASKING, nodeCrypto.sha256)
const ESCALATE = { step_id: 'ask', policy_kind: 'ESCALATE' }
const SECOND = { step_id: 'step-2' }

function stage(steps: 'one' | 'many' = 'one'): Stage {
  const builder = new LedgerBuilder()
  const { capabilities, ...rules } = rulesBody()
  const all = [...(capabilities as JsonObject[]), { capability: ASKING, capability_hash: asking }]
  bootstrap(builder, { ...rules, capabilities: all })
  builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  return { builder, writId: grant(builder, writBody(builder), { steps }) }
}

async function found({ builder }: Stage): Promise<readonly string[]> {
  return places(await verifyTwice(builder.text()))
}

/** The last entry, and nothing else. */
function last({ builder }: Stage): readonly string[] {
  return [`${builder.entries.length - 1} AUTHORITY_ORDER`]
}

test('a flow that was opened for one step takes no second one', async () => {
  const it = stage()
  commit(it.builder, dispatch(it.builder, it.writId).intent)
  assert.deepEqual(await found(it), [])
  dispatch(it.builder, it.writId, SECOND)
  assert.deepEqual(await found(it), last(it))
  const many = stage('many')
  commit(many.builder, dispatch(many.builder, many.writId).intent)
  dispatch(many.builder, many.writId, SECOND)
  assert.deepEqual(await found(many), [])
})

test('nor while the first is on its way, is with a person, or was given up by one', async () => {
  for (const status of ['DISPATCHED', 'UNKNOWN', 'NOT_APPLIED', 'MANUAL_REVIEW', 'ABANDONED']) {
    const it = stage()
    const { intent } = dispatch(it.builder, it.writId)
    if (status === 'ABANDONED') {
      settle(it.builder, intent, 'MANUAL_REVIEW')
      learn(it.builder, intent, 'person', 'inconclusive')
    }
    if (status !== 'DISPATCHED') settle(it.builder, intent, status)
    accept(it.builder, it.writId, SECOND)
    assert.deepEqual(await found(it), last(it), status)
  }
})

test('it does after one that failed, that was given back unsent, or that asked for a person', async () => {
  const failed = stage()
  settle(failed.builder, dispatch(failed.builder, failed.writId).intent, 'FAILED')
  dispatch(failed.builder, failed.writId, SECOND)
  assert.deepEqual(await found(failed), [], 'failed')
  const unsent = stage()
  abandon(unsent.builder, accept(unsent.builder, unsent.writId))
  carryOut(unsent.builder, accept(unsent.builder, unsent.writId, SECOND))
  assert.deepEqual(await found(unsent), [], 'unsent')
  const asked = stage()
  const { intent } = dispatch(asked.builder, asked.writId, { ...ESCALATE, capability_hash: asking })
  commit(asked.builder, intent)
  dispatch(asked.builder, asked.writId, SECOND)
  assert.deepEqual(await found(asked), [], 'asked')
  dispatch(asked.builder, asked.writId, { step_id: 'step-3' })
  assert.deepEqual(await found(asked), last(asked), 'and then no other')
})

test('of a flow that was erased nobody knows how many it took', async () => {
  const it = stage()
  commit(it.builder, dispatch(it.builder, it.writId).intent)
  const { intent } = dispatch(it.builder, it.writId, SECOND)
  commit(it.builder, intent, [], { world_after: worldAfter([sampleDelta]) })
  eraseFlow(it.builder, DFID)
  assert.deepEqual(await found(it), [])
})
