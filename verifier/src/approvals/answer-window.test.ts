import assert from 'node:assert/strict'
import { test } from 'node:test'
import { computeAddress, type JsonObject } from 'rubicon-kernel'
import { findAnswerWindow } from '../authority/approval-window.ts'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import { places, verifyTwice } from '../samples/agreement.test-support.ts'
import { asks, ledger, ORDER, OTHER, RAN } from '../samples/sample-approvals.test-support.ts'
import {
  contract,
  DEPLOY,
  DFID,
  grant,
  secondsAfter,
  writBody,
} from '../samples/sample-ledger.test-support.ts'

const { sha256 } = nodeCrypto
const NEXT = '019c1200-0000-7000-8000-0000000000bb'

/** A request that waits so many seconds, in a flow that is pinned to a contract with these rules. */
async function find(rules: JsonObject, seconds: number): Promise<string[]> {
  const { builder } = ledger({ approval: null, trace: [] })
  const safety_rules = { ...contract.safety_rules, ...rules }
  const next = { ...contract, version: '9.0.0', safety_rules }
  const contract_hash = computeAddress('contract', next, sha256)
  builder.decree('contract', { ...DEPLOY, contract: next, contract_hash })
  const pinned = { dfid: NEXT, contract: { hash: contract_hash, seq: 0 } }
  grant(builder, writBody(builder, { nonce: NEXT }), pinned)
  // Beside it stands one that says nothing: what counts is the one that the flow is pinned to.
  const later = { ...contract, version: '9.1.0' }
  const hash = computeAddress('contract', later, sha256)
  builder.decree('contract', { ...DEPLOY, contract: later, contract_hash: hash })
  const requested_at = builder.now()
  const expires_at = secondsAfter(requested_at, seconds)
  const not_before = secondsAfter(requested_at, 10)
  const request = { id: `${DFID}:2`, requested_at, not_before, expires_at }
  asks(builder, OTHER, request, {}, NEXT)
  return places(await verifyTwice(builder.text()))
}

const ASKED = ORDER(RAN + 4)

test('AUTHORITY_ORDER: a request waits longer, or shorter, than the contract of its flow says', async () => {
  const night = { approval_window_s: 57_600 }
  assert.deepEqual(await find(night, 57_600), [])
  assert.deepEqual(await find(night, 57_599), [ASKED])
  assert.deepEqual(await find(night, 3_600), [ASKED])
  assert.deepEqual(await find(night, 57_605), [ASKED])
  assert.deepEqual(await find({ approval_window_s: 60 }, 60), [])
  assert.deepEqual(await find({ approval_window_s: 60 }, 3_600), [ASKED])
  assert.deepEqual(await find({}, 3_600), [])
  assert.deepEqual(await find({}, 57_600), [ASKED])
})

test('what no contract can say about how long a request waits counts as not said', async () => {
  for (const approval_window_s of [59, 86_401, 7_200.5, '7200', null])
    assert.deepEqual(await find({ approval_window_s }, 3_600), [], String(approval_window_s))
  assert.deepEqual(await find({ approval_window_s: 172_800 }, 172_800), [ASKED])
})

test('of a flow whose contract is not there, a request waits as long as any contract may say', () => {
  type State = Parameters<typeof findAnswerWindow>[0]
  const state = (isOpened: boolean): State => {
    const opened = isOpened ? { agent: 'bot', contract: OTHER } : undefined
    const flows = { get: () => opened } as unknown as State['flows']
    const contracts = { get: () => undefined } as unknown as State['contracts']
    return { flows, contracts }
  }
  for (const isOpened of [true, false]) {
    const { least, most } = findAnswerWindow(state(isOpened), DFID)
    assert.deepEqual([least, most], [60_000, 86_400_000])
  }
})
