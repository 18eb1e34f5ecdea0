import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Facts } from 'rubicon-kernel'
import { AuditedSourceReads } from './source-reads.ts'

const LINE = { trajectory: 'main', seq: 7 }

type Payment = Parameters<AuditedSourceReads['auditDispatch']>[1]

function pay(idempotency_key: string, to = 'shop', policy_kind = 'PAY'): Payment {
  return { policy_kind, params: { to, amount: '1' }, idempotency_key }
}

function say(value: number, to = 'shop', source = 'provider'): Pick<Facts, 'state'> {
  const observed_at = '2026-06-01T12:00:00.000Z'
  return {
    state: [{ path: `paid.${to}`, value, source, label: 'trusted', observed_at, version: '1' }],
  }
}

type Audited = { readonly reads: AuditedSourceReads; readonly found: string[] }

/** Payments that the provider has carried out, and nobody has settled. */
function audit(...applied: readonly string[]): Audited {
  const found: string[] = []
  const reads = new AuditedSourceReads((invariant) => void found.push(invariant))
  for (const key of applied) {
    const request = { kind: 'PAY', key, send: 1, params: {} } as const
    reads.recordProviderEvent({ ...request, event: 'applied', at: 0 })
  }
  return { reads, found }
}

test('whoever is dispatched was told of every payment that was over', () => {
  const { reads, found } = audit('a', 'b')
  reads.auditDispatch(LINE, pay('c'), say(0))
  reads.recordSettled(pay('a'))
  reads.auditDispatch(LINE, pay('c'), say(1))
  reads.auditDispatch(LINE, pay('c'), say(2))
  assert.deepEqual(found, [])
  reads.auditDispatch(LINE, pay('c'), say(0))
  assert.deepEqual(found, ['I6'])
  reads.recordSettled(pay('b'))
  reads.recordSettled(pay('b'))
  reads.auditDispatch(LINE, pay('c'), say(1))
  reads.auditDispatch(LINE, pay('c'), say(2))
  assert.deepEqual(found, ['I6', 'I6'])
})

test('payments to others, what was not done when it was settled, and words of others do not count', () => {
  const { reads, found } = audit('a', 'b')
  reads.recordSettled(pay('a', 'other'))
  reads.recordSettled(pay('late'))
  reads.recordProviderEvent({
    ...pay('late'),
    kind: 'PAY',
    key: 'late',
    send: 1,
    event: 'applied',
    at: 1,
  })
  reads.recordSettled(pay('b', 'shop', 'ORDER'))
  reads.auditDispatch(LINE, pay('c'), say(0))
  reads.auditDispatch(LINE, pay('c', 'other'), say(0, 'other', 'feed'))
  reads.auditDispatch(LINE, pay('c', 'other'), { state: [] })
  assert.deepEqual(found, [])
})

test('what takes a payment back stands on the facts of its choice', () => {
  const { reads, found } = audit('a')
  reads.recordSettled(pay('a'))
  const compensation = { chosen: 'sha256:c', dfid: 'd', action: 'REVERT', of: 'sha256:a' } as const
  reads.auditDispatch(LINE, { ...pay('u', 'shop', 'COMPENSATE'), compensation }, say(0))
  assert.deepEqual(found, [])
})
