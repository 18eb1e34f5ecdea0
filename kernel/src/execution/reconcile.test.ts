import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from '../limits.ts'
import {
  backoffMs,
  judgeProbe,
  type ProbeFinding,
  resolveUncertain,
  type Uncertain,
} from './reconcile.ts'

const SENT = 1_000_000
const lost = (change: Partial<Uncertain> = {}): Uncertain => ({
  status: 'UNKNOWN',
  firstSentMs: SENT,
  lastSentMs: SENT,
  nowMs: SENT + 1,
  sends: 1,
  probes: 0,
  ...change,
})
const probe = { absence_authoritative: true, max_late_arrival_s: 60 }
const sameKey = { kind: 'resend', why: 'same_key' }
const review = { kind: 'give_up', status: 'MANUAL_REVIEW' }

test('what can be asked about is asked first, as often as allowed', () => {
  const capability = { effect: 'queryable', probe } as const
  const last = LIMITS.probeAttempts - 1
  assert.deepEqual(resolveUncertain(capability, lost({ probes: last })), { kind: 'probe' })
  assert.deepEqual(resolveUncertain(capability, lost({ probes: last + 1 })), review)
})

test('R1 a read and a conditional write are sent again, as often as allowed', () => {
  for (const effect of ['read', 'put_if_match'] as const) {
    const last = LIMITS.resendAttempts - 1
    assert.deepEqual(resolveUncertain({ effect }, lost({ sends: last })), sameKey)
    assert.deepEqual(resolveUncertain({ effect }, lost({ sends: last + 1 })), review)
  }
})

test('R1 a keyed effect is sent again only while the provider surely knows the key', () => {
  const idempotency = { carrier: 'header', window_s: 3_600 }
  const capability = { effect: 'keyed', idempotency } as const
  const end = SENT + 3_600_000 - LIMITS.idempotencyMarginMs
  assert.deepEqual(resolveUncertain(capability, lost({ nowMs: end - 1 })), sameKey)
  assert.deepEqual(resolveUncertain(capability, lost({ nowMs: end })), review)
  // The window runs from the first send, not from the last.
  assert.deepEqual(resolveUncertain(capability, lost({ nowMs: end, lastSentMs: end - 1 })), review)
  assert.deepEqual(resolveUncertain({ effect: 'keyed' }, lost()), review)
})

test('R3 R4 unsafe effects and those without a probe go to a person', () => {
  for (const effect of ['unsafe', 'queryable'] as const)
    assert.deepEqual(resolveUncertain({ effect }, lost()), review)
})

test('what is proven absent is sent again, unless it is unsafe or was sent too often', () => {
  const absent = lost({ status: 'NOT_APPLIED' })
  const again = { kind: 'resend', why: 'not_applied' }
  const failed = { kind: 'give_up', status: 'FAILED' }
  assert.deepEqual(resolveUncertain({ effect: 'queryable', probe }, absent), again)
  assert.deepEqual(resolveUncertain({ effect: 'unsafe' }, absent), failed)
  const often = { ...absent, sends: LIMITS.resendAttempts }
  assert.deepEqual(resolveUncertain({ effect: 'read' }, often), failed)
})

test('R2 absence counts only if it is authoritative and nothing can arrive late', () => {
  const judged = (capability: Parameters<typeof judgeProbe>[0], nowMs: number): string =>
    judgeProbe(capability, lost({ nowMs }), 'absent')
  const sure = { effect: 'queryable', probe } as const
  assert.equal(judged(sure, SENT + 60_000), 'UNKNOWN')
  assert.equal(judged(sure, SENT + 60_001), 'NOT_APPLIED')
  const unsure = { ...sure, probe: { ...probe, absence_authoritative: false } }
  assert.equal(judged(unsure, SENT + 60_001), 'UNKNOWN')
  assert.equal(judged({ effect: 'queryable' }, SENT + 60_001), 'UNKNOWN')
})

test('what was found applied succeeded, what was not found out stays unknown', () => {
  const judged = (finding: ProbeFinding): string =>
    judgeProbe({ effect: 'queryable', probe }, lost({ nowMs: SENT + 60_001 }), finding)
  assert.equal(judged('applied'), 'SUCCESS')
  assert.equal(judged('inconclusive'), 'UNKNOWN')
})

test('waiting doubles from the base to the limit', () => {
  assert.deepEqual([0, 1, 2, 3].map(backoffMs), [200, 200, 400, 800])
  assert.deepEqual([8, 9, 1_000_000].map(backoffMs), [25_600, 30_000, 30_000])
})
