import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EntryKind, JsonObject } from 'rubicon-kernel'
import { formatEntry, listWhys, toShownEntry } from './entry-text.ts'

const HASH = `sha256:${'00'.repeat(32)}` as const
const ORDER = { proposal: { policy_kind: 'ORDER', params: { sku: 'a' } }, intent: {} }

function lineOf(kind: EntryKind, payload: JsonObject): string {
  const place = { trajectory: 'main', seq: 7, leaf: null, id: HASH, dfid: null }
  const view = toShownEntry({ ...place, kind, at: '2026-02-01T09:00:00.000Z', payload })
  return formatEntry(view).slice('main/7  2026-02-01T09:00:00.000Z  '.length)
}

test('a decision shows what was proposed', () => {
  assert.equal(
    lineOf('dispatch', { ...ORDER, send: 1 }),
    'dispatch          ORDER {"sku":"a"} send 1',
  )
  assert.equal(lineOf('accepted', ORDER), 'accepted          ORDER {"sku":"a"}')
})

test('a dispatch of what stands in an earlier entry names that entry', () => {
  const accepted = { intent_id: HASH, accepted: { trajectory: 'main', seq: 5 }, send: 1 }
  assert.equal(lineOf('dispatch', accepted), 'dispatch          of main/5 send 1')
  const again = { body: { intent_id: HASH, first: { trajectory: 'main', seq: 6 }, send: 2 } }
  assert.equal(lineOf('resend', again), 'resend            of main/6 send 2')
})

test('finding 30b: a refusal for want of budget is shown without its amounts', () => {
  const calls = { asked: '1', left: '0', limit: '100', unit: 'calls' }
  const usd = { asked: '0.5', left: null, limit: '10', unit: 'USD' }
  const details = { measures: ['calls', 'usd'], amounts: { calls, usd } }
  assert.equal(
    lineOf('rejection', { ...ORDER, reason_code: 'BUDGET_EXCEEDED', details }),
    'rejection         BUDGET_EXCEEDED (calls: asked 1, left 0 of 100; usd: asked 0.5, left uncounted of 10 USD) ORDER {"sku":"a"}',
  )
})

test('finding 30e: what ran without asking is not told from what was allowed', () => {
  const trace = [{ stage: 'preconditions', said: 'pass', flagged: [{ id: 'limit:size' }] }]
  assert.equal(
    lineOf('dispatch', { ...ORDER, trace, send: 1 }),
    'dispatch          ORDER {"sku":"a"} send 1 needs review: limit:size',
  )
  assert.equal(
    lineOf('accepted', { ...ORDER, trace }),
    'accepted          ORDER {"sku":"a"} needs review: limit:size',
  )
})

test('what was given back shows its status and why', () => {
  const settle = { intent_id: HASH, status: 'ABANDONED', reason_code: 'LOCK_EXPIRED' }
  assert.equal(lineOf('settle', settle), 'settle            ABANDONED LOCK_EXPIRED')
})

test('a refusal says which stage found what, and a request what asked for it', () => {
  const details = { checked: 'refund_usd', limit: 'ever', min: '0', max: '5000', value: '20000' }
  assert.deepEqual(
    listWhys({ kind: 'rejection', payload: { ...ORDER, stage: 'preconditions', details } }),
    ['preconditions: refund_usd is 20000, `ever` allows from 0 to 5000'],
  )
  const denied = { stage: 'policy', details: { policy: 'desk', rules: ['closed-orders'] } }
  assert.deepEqual(listWhys({ kind: 'rejection', payload: denied }), [
    'policy: policy desk, rules ["closed-orders"]',
  ])
  const { max: _, ...unbounded } = details
  const triggers = [
    { id: 'limit:ever', details: unbounded },
    { id: 'kind', details: {} },
  ]
  assert.deepEqual(listWhys({ kind: 'pending_approval', payload: { request: { triggers } } }), [
    'limit:ever: refund_usd is 20000, `ever` allows from 0',
  ])
})

test('what the line of an entry says, and what was erased, is not said again', () => {
  const calls = { asked: '1', left: '0', limit: '100', unit: 'calls' }
  const details = { measures: ['calls'], amounts: { calls } }
  for (const payload of [null, 'erased', { ...ORDER, stage: 'budget', details }])
    assert.deepEqual(listWhys({ kind: 'rejection', payload }), [])
  assert.deepEqual(listWhys({ kind: 'pending_approval', payload: ORDER }), [])
  assert.deepEqual(listWhys({ kind: 'commit', payload: ORDER }), [])
})
