import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from '../limits.ts'
import {
  computeBackoffMs,
  computeNextProbeMs,
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
  const nowMs = SENT + 60_001
  assert.deepEqual(resolveUncertain(capability, lost({ probes: last, nowMs })), { kind: 'probe' })
  assert.deepEqual(resolveUncertain(capability, lost({ probes: last + 1, nowMs })), review)
})

test('R5 the last probe waits until nothing can arrive any more; those before it do not', () => {
  const capability = { effect: 'queryable', probe } as const
  const last = LIMITS.probeAttempts - 1
  const untilMs = SENT + 60_001
  const before = lost({ probes: last, nowMs: untilMs - 1 })
  assert.deepEqual(resolveUncertain(capability, before), { kind: 'wait', untilMs })
  assert.equal(judgeProbe(capability, { ...before, nowMs: untilMs - 1 }, 'absent'), 'UNKNOWN')
  assert.equal(judgeProbe(capability, { ...before, nowMs: untilMs }, 'absent'), 'NOT_APPLIED')
  const early = lost({ probes: last - 1, nowMs: SENT + 1 })
  assert.deepEqual(resolveUncertain(capability, early), { kind: 'probe' })
})

test('R5 what may be sent again under its key is, while the last probe is kept', () => {
  const idempotency = { carrier: 'header', window_s: 3_600 }
  const capability = { effect: 'keyed', idempotency, probe } as const
  const kept = lost({ probes: LIMITS.probeAttempts - 1 })
  assert.deepEqual(resolveUncertain(capability, kept), sameKey)
  const sends = LIMITS.resendAttempts
  assert.deepEqual(resolveUncertain(capability, { ...kept, sends }), {
    kind: 'wait',
    untilMs: SENT + 60_001,
  })
})

test('what may be sent again, and what was asked about for the last time, is looked at soon', () => {
  const idempotency = { carrier: 'header', window_s: 3_600 }
  const capability = { effect: 'keyed', idempotency, probe } as const
  const soon = (effect: Uncertain): number => effect.nowMs + computeBackoffMs(effect.probes + 1)
  const kept = lost({ probes: LIMITS.probeAttempts - 1 })
  assert.equal(computeNextProbeMs(capability, kept), soon(kept))
  const sent = { ...kept, sends: LIMITS.resendAttempts }
  assert.equal(computeNextProbeMs(capability, sent), SENT + 60_001)
  const over = { ...sent, probes: LIMITS.probeAttempts }
  assert.equal(computeNextProbeMs(capability, over), soon(over))
})

test('what cannot be asked about arrives late for nobody, and is looked at again after a while', () => {
  const effect = lost({ probes: 1, sends: LIMITS.resendAttempts, nowMs: SENT + 5_000 })
  assert.equal(computeNextProbeMs({ effect: 'unsafe' }, effect), effect.nowMs + computeBackoffMs(2))
})

test('finding 21b: the last probe is not asked before the effect cannot arrive any more', () => {
  for (const late of [0, 1, 30, 60, 3_600, 86_400]) {
    const capability = {
      effect: 'queryable',
      probe: { ...probe, max_late_arrival_s: late },
    } as const
    const asked: number[] = []
    let effect = lost({ nowMs: SENT + computeBackoffMs(1) })
    while (resolveUncertain(capability, effect).kind === 'probe') {
      asked.push(effect.nowMs - SENT)
      effect = { ...effect, probes: effect.probes + 1 }
      effect = { ...effect, nowMs: computeNextProbeMs(capability, effect) }
    }
    assert.deepEqual(resolveUncertain(capability, effect), review, `${asked}`)
    assert.equal(asked.length, LIMITS.probeAttempts)
    assert.ok((asked.at(-1) ?? 0) > late * 1000, `${asked}`)
    const gaps = asked.map((at, i) => at - (asked[i - 1] ?? 0))
    assert.ok(
      gaps.every((gap, i) => gap >= (gaps[i - 1] ?? 0)),
      `each waits longer than the one before: ${asked}`,
    )
  }
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
  const idempotency = { carrier: 'header', window_s: 3_600 }
  const keyed = { effect: 'keyed', idempotency } as const
  const end = SENT + 3_600_000 - LIMITS.idempotencyMarginMs
  assert.deepEqual(resolveUncertain(keyed, { ...absent, nowMs: end - 1 }), again)
  assert.deepEqual(resolveUncertain(keyed, { ...absent, nowMs: end }), failed)
  assert.deepEqual(resolveUncertain({ effect: 'keyed' }, { ...absent, nowMs: end }), again)
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
  assert.deepEqual([0, 1, 2, 3].map(computeBackoffMs), [200, 200, 400, 800])
  assert.deepEqual([8, 9, 1_000_000].map(computeBackoffMs), [25_600, 30_000, 30_000])
})
