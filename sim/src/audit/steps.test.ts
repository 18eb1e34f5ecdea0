import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DispatchPayload, EvidencePayload, SettlePayload, SignedIntent } from 'rubicon-kernel'
import type { ProviderEvent } from '../provider.ts'
import type { Line } from './report.ts'
import { Steps } from './steps.ts'

const LINE = { trajectory: 'main', seq: 7 } as Line
const TRACE = Array.from({ length: 10 }, () => ({ said: 'pass' }))

function dispatched(shared: boolean) {
  const found: string[] = []
  const steps = new Steps((invariant) => void found.push(invariant), shared)
  const intent = {
    intent_id: 'i',
    idempotency_key: 'k',
    dfid: 'd',
    step_id: 's',
    policy_kind: 'PAY',
    capability: 'PAY@1',
    params: {},
  } as unknown as SignedIntent
  steps.auditDispatch(LINE, { intent, trace: TRACE, send: 1 } as unknown as DispatchPayload)
  const settle = (status: SettlePayload['status'], finding?: string, source = 'recovery'): void => {
    if (finding !== undefined)
      steps.recordEvidence({ intent_id: 'i', source, finding } as unknown as EvidencePayload)
    steps.auditSettle(LINE, { intent_id: 'i', status } as unknown as SettlePayload)
  }
  const receive = (send = 1): void =>
    steps.auditProviderEvent({
      event: 'received',
      kind: 'PAY',
      key: 'k',
      send,
      params: {},
      at: 0,
    } as ProviderEvent)
  return { found, settle, receive }
}

test('what is sent after its engine was given up is found where nobody else could be wrong (I1)', () => {
  const alone = dispatched(false)
  alone.settle('UNKNOWN', 'interrupted')
  alone.receive()
  assert.deepEqual(alone.found, ['I1'])
})

test('an engine that was taken for dead may let go of what it had dispatched, once', () => {
  const { found, settle, receive } = dispatched(true)
  settle('UNKNOWN', 'interrupted')
  receive()
  assert.deepEqual(found, [])
  receive()
  assert.deepEqual(found, ['I1'])
})

test('it may not let go of it when the effect was called absent, nor when nobody gave it up (I1)', () => {
  const absent = dispatched(true)
  absent.settle('UNKNOWN', 'interrupted')
  absent.settle('NOT_APPLIED', 'absent')
  absent.receive()
  assert.deepEqual(absent.found, ['I1'])

  const unknown = dispatched(true)
  unknown.settle('UNKNOWN')
  unknown.receive()
  assert.deepEqual(unknown.found, ['I1'])

  const second = dispatched(true)
  second.settle('UNKNOWN', 'interrupted')
  second.receive(2)
  assert.deepEqual(second.found, ['I1', 'I1'], 'a send that nobody dispatched')
})

test('what is with a person is settled by the word of one, as he says, and by nobody else (I12)', () => {
  const settled = (
    status: SettlePayload['status'],
    finding?: string,
    source?: string,
  ): readonly string[] => {
    const { found, settle } = dispatched(false)
    settle('MANUAL_REVIEW')
    settle(status, finding, source)
    return found
  }
  assert.deepEqual(settled('FAILED', 'absent', 'person'), [])
  assert.deepEqual(settled('ABANDONED', 'inconclusive', 'person'), [])
  assert.deepEqual(settled('FAILED'), ['I12'])
  assert.deepEqual(settled('FAILED', 'absent', 'probe'), ['I12'])
  assert.deepEqual(settled('FAILED', 'applied', 'person'), ['I12'])
  assert.deepEqual(settled('UNKNOWN', 'inconclusive', 'person'), ['I12'])
})
