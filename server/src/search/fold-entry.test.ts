import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EntryKind } from 'rubicon-kernel'
import type { LeafEntry } from 'rubicon-runtime/ports'
import { foldEntry, type KnownKinds, listKnownKinds } from './fold-entry.ts'

const NONE: KnownKinds = new Map()
const AT = '2026-01-31T12:00:00.250Z'

function entry(kind: EntryKind, payload: object | null, dfid?: string): LeafEntry {
  return {
    id: 'sha256:00',
    leaf: 7,
    payload: payload === null ? null : JSON.stringify(payload),
    envelope: {
      ...{ v: 2, tenant: 'default', trajectory: 'main', seq: 3, parent: null, kind, at: AT },
      ...(dfid === undefined ? {} : { dfid }),
      payload_hash: 'sha256:00',
    },
  }
}

const REJECTED = {
  received: 'ab',
  reason_code: 'LIMIT_EXCEEDED',
  facts: { now: '2026-01-31T12:00:00.200Z' },
  proposal: { policy_kind: 'REFUND', params: { order: 'o_4711', amount: '20.50' } },
  trace: [{ stage: 'kind' }, { measures: { refund_usd: '20.50', calls: '1' } }],
}

test('a rejection is a verdict, with kind, object, amount, reason and how long it took', () => {
  const { verdict, texts } = foldEntry(entry('rejection', REJECTED, 'f'), NONE)
  assert.deepEqual(verdict, {
    outcome: 'rejected',
    reason: 'LIMIT_EXCEEDED',
    kind: 'REFUND',
    object: 'order o_4711, amount 20.50',
    amount: { measure: 'refund_usd', units: 20_500_000 },
    took_ms: 50,
    step: null,
  })
  assert.deepEqual(texts, ['REFUND', 'LIMIT_EXCEEDED', 'o_4711', '20.50'])
})

test('what ended a flow without a proposal has a reason and is no verdict', () => {
  const ended = { received: '', trace: [], reason_code: 'FLOW_EXPIRED' }
  const { verdict } = foldEntry(entry('rejection', ended, 'f'), NONE)
  assert.deepEqual([verdict?.outcome, verdict?.reason], ['ended', 'FLOW_EXPIRED'])
})

test('a dispatch is accepted once: not what was accepted before, nor what takes back', () => {
  const intent = { step_id: 'step-1' }
  const dispatch = { ...REJECTED, reason_code: undefined, intent }
  assert.equal(foldEntry(entry('dispatch', dispatch, 'f'), NONE).verdict?.outcome, 'accepted')
  const carried = { accepted: { trajectory: 'main', seq: 1 }, facts: REJECTED.facts }
  assert.equal(foldEntry(entry('dispatch', carried, 'f'), NONE).verdict, null)
  const undo = { ...dispatch, intent: { ...intent, compensation: {} } }
  assert.equal(foldEntry(entry('dispatch', undo, 'f'), NONE).verdict, null)
})

test('rules make kinds known: what names an object, and which measure is the amount', () => {
  const capability = {
    kind: 'REFUND',
    scopes: { orders: '/order' },
    exposure: { measure: 'zloty' },
  }
  const kinds = listKnownKinds(entry('policy', { body: { capabilities: [{ capability }] } }))
  const said = { ...REJECTED, trace: [{ measures: { refund_usd: '1', zloty: '4' } }] }
  const { verdict } = foldEntry(entry('rejection', said, 'f'), kinds)
  assert.equal(verdict?.object, 'o_4711')
  assert.deepEqual(verdict?.amount, { measure: 'zloty', units: 4_000_000 })
})

test('what an action is about is said in the order of its schema, as on the page of a request', () => {
  const capability = { kind: 'REFUND', params: { required: ['order', 'amount'] } }
  const kinds = listKnownKinds(entry('policy', { body: { capabilities: [{ capability }] } }))
  const proposal = { ...REJECTED.proposal, params: { amount: '20.00', order: 'o_4711' } }
  const said = { ...REJECTED, proposal }
  const { verdict } = foldEntry(entry('rejection', said, 'f'), kinds)
  assert.equal(verdict?.object, 'order o_4711, amount 20.00')
})

test('an erased payload says nothing but that there is an entry', () => {
  const folded = foldEntry(entry('rejection', null, 'f'), NONE)
  const { verdict, request, happening, texts, reason } = folded
  assert.deepEqual([verdict, request, happening, texts, reason], [null, null, null, [], null])
})

test('an erasure names the flow whose words leave the index', () => {
  const erasure = { body: { dfid: 'f', reason: 'asked to', by: 'ann', payloads: [] } }
  const { erases, happening } = foldEntry(entry('erasure', erasure), NONE)
  assert.equal(erases, 'f')
  assert.deepEqual(happening, { what: 'erased', who: 'ann', detail: 'f' })
})

test('who moved an agent is a person or nobody: the runtime signs by the name of its key', () => {
  const move = { to: 'SUSPENDED', actor: 'operator', by: 'ann', justification: 'it talks' }
  const findWho = (body: object): string | null | undefined =>
    foldEntry(entry('lifecycle', { body }), NONE).happening?.who
  assert.equal(findWho(move), 'ann')
  assert.equal(findWho({ ...move, by: 'kernel-3dae6eda9c471318' }), 'kernel-3dae6eda9c471318')
  for (const actor of ['runtime', 'registry'])
    assert.equal(findWho({ ...move, actor, by: 'kernel-3dae6eda9c471318' }), null)
})

test('an amount that cannot be counted exactly is none', () => {
  const said = { ...REJECTED, trace: [{ measures: { refund_usd: '0.12345678' } }] }
  const { verdict } = foldEntry(entry('rejection', said, 'f'), NONE)
  assert.deepEqual(verdict?.amount, { measure: 'refund_usd', units: null })
})
