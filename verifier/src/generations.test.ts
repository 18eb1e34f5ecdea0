/** What a model was asked is read alike by both verifiers, and counted against the budget of its writ. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Address, JsonObject } from 'rubicon-kernel'
import { places, verifyTwice } from './samples/agreement.test-support.ts'
import { LedgerBuilder } from './samples/ledger-builder.test-support.ts'
import { bootstrap, DFID, dispatch, grant, writBody } from './samples/sample-ledger.test-support.ts'

const HASH = `sha256:${'ab'.repeat(32)}`
/** Another flow. */
const OTHER = `${DFID.slice(0, -1)}${DFID.endsWith('0') ? '1' : '0'}`

function begin(): { readonly builder: LedgerBuilder; readonly writId: Address } {
  const builder = new LedgerBuilder()
  bootstrap(builder)
  builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  const body = writBody(builder, { budget: { calls: '10', tokens: '5' } })
  return { builder, writId: grant(builder, body) }
}

function generation(writ_id: string, change: JsonObject = {}): JsonObject {
  return {
    salt: 'c2FsdA==',
    writ_id,
    source: 'model',
    finding: 'answered',
    generation_id: 'g-1',
    provider: 'acme',
    model: 'm-1',
    answered_by: 'm-2',
    request_hash: HASH,
    response_hash: HASH,
    usage: { input_tokens: 3, output_tokens: 2 },
    used: { tokens: '5' },
    stop: 'end',
    ...change,
  }
}

const NO_REPLY = ['answered_by', 'response_hash', 'usage', 'stop'] as const

function without(payload: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(payload).filter(([name]) => !names.includes(name)))
}

test('what became of a request to a model has one of three forms; any other is found', async () => {
  const { builder, writId } = begin()
  const bare = without(generation(writId, { used: {} }), NO_REPLY)
  const good: readonly JsonObject[] = [
    generation(writId, { used: {}, usage: null, stop: 'filtered' }),
    { ...bare, finding: 'failed', reason_code: 'MODEL_TIMEOUT', charged: true },
    {
      ...bare,
      finding: 'failed',
      reason_code: 'MODEL_TIMEOUT',
      charged: true,
      response_hash: HASH,
    },
    { ...bare, finding: 'lost' },
  ]
  for (const payload of good) builder.append('main', 'evidence', payload, { dfid: DFID })
  assert.deepEqual(places(await verifyTwice(builder.text())), [])
  const first = builder.entries.length
  const bad: readonly JsonObject[] = [
    generation(writId, { finding: 'asked' }),
    generation(writId, { request_hash: 'none' }),
    generation(writId, { stop: 'later' }),
    generation(writId, { usage: { input_tokens: -1, output_tokens: 1 } }),
    generation(writId, { usage: { input_tokens: 1 } }),
    generation(writId, { prompt: 'pay' }),
    { ...bare, finding: 'failed', charged: true },
    { ...bare, finding: 'lost', charged: true },
    without(generation(writId), ['writ_id']),
  ]
  for (const payload of bad) builder.append('main', 'evidence', payload, { dfid: DFID })
  const wrong = places(await verifyTwice(builder.text()))
  assert.deepEqual(wrong, bad.map((_, i) => `${first + i} ENTRY_UNREADABLE`).sort())
})

test('a reply that was held to a grammar is not unreadable to a verifier, whatever became of it', async () => {
  const { builder, writId } = begin()
  const held = generation(writId, { used: {}, usage: null, grammar_hash: HASH })
  const bare = without(held, NO_REPLY)
  const failed = { ...bare, finding: 'failed', reason_code: 'DECODE_FAILED', charged: true }
  const good = [held, { ...failed, response_hash: HASH }, { ...bare, finding: 'lost' }]
  for (const payload of good) builder.append('main', 'evidence', payload, { dfid: DFID })
  assert.deepEqual(places(await verifyTwice(builder.text())), [])
  const first = builder.entries.length
  const bad = [
    { ...held, grammar_hash: 'none' },
    { ...failed, grammar_hash: null },
  ]
  for (const payload of bad) builder.append('main', 'evidence', payload, { dfid: DFID })
  const wrong = places(await verifyTwice(builder.text()))
  assert.deepEqual(wrong, bad.map((_, i) => `${first + i} ENTRY_UNREADABLE`).sort())
})

test('AUTHORITY_ORDER: what a model cost is spent, and then nothing is decided', async () => {
  const { builder, writId } = begin()
  builder.append('main', 'evidence', generation(writId), { dfid: DFID })
  dispatch(builder, writId)
  assert.deepEqual(places(await verifyTwice(builder.text())), [])
  const more = without(generation(writId, { used: { tokens: '1' } }), NO_REPLY)
  builder.append('main', 'evidence', { ...more, finding: 'lost' }, { dfid: DFID })
  const leaf = builder.entries.length
  dispatch(builder, writId, { step_id: 'step-2' })
  assert.deepEqual(places(await verifyTwice(builder.text())), [`${leaf} AUTHORITY_ORDER`])
})

test('AUTHORITY_ORDER: what a model cost is counted against the writ of its own flow', async () => {
  const { builder, writId } = begin()
  const other = grant(builder, writBody(builder, { nonce: OTHER }), { dfid: OTHER })
  builder.append('main', 'evidence', generation(writId), { dfid: DFID })
  assert.deepEqual(places(await verifyTwice(builder.text())), [])
  const first = builder.entries.length
  const bare = { salt: 'c2FsdA==', source: 'agent', used: { tokens: '1' } }
  const elsewhere: readonly JsonObject[] = [
    generation(other),
    generation(HASH),
    { ...bare, writ_id: other },
    { ...bare, writ_id: HASH },
  ]
  for (const payload of elsewhere) builder.append('main', 'evidence', payload, { dfid: DFID })
  const wrong = places(await verifyTwice(builder.text()))
  assert.deepEqual(wrong, elsewhere.map((_, i) => `${first + i} AUTHORITY_ORDER`).sort())
})

test('AUTHORITY_ORDER: the tokens that a model counted are those that are used', async () => {
  const { builder, writId } = begin()
  const usage = { input_tokens: 1, output_tokens: 2 }
  builder.append('main', 'evidence', generation(writId, { usage, used: { tokens: '3' } }), {
    dfid: DFID,
  })
  assert.deepEqual(places(await verifyTwice(builder.text())), [])
  const first = builder.entries.length
  const wrong: readonly JsonObject[] = [{ tokens: '2' }, { tokens: '4' }, { usd: '1' }, {}]
  for (const used of wrong)
    builder.append('main', 'evidence', generation(writId, { usage, used }), { dfid: DFID })
  const found = places(await verifyTwice(builder.text()))
  assert.deepEqual(found, wrong.map((_, i) => `${first + i} AUTHORITY_ORDER`).sort())
})

test('AUTHORITY_ORDER: a request to a model stands in a flow', async () => {
  const { builder, writId } = begin()
  const leaf = builder.entries.length
  builder.append('main', 'evidence', generation(writId))
  assert.deepEqual(places(await verifyTwice(builder.text())), [`${leaf} AUTHORITY_ORDER`])
})
