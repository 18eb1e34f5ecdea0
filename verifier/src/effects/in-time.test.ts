import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type CapabilityDescription,
  formatInstant,
  type JsonObject,
  type JsonValue,
  LIMITS,
  type SignedIntent,
} from 'rubicon-kernel'
import { decide, sampleLedger } from '../samples/sample-ledger.test-support.ts'
import type { FoldedIntent } from './folded-intent.ts'
import {
  computeKeyLifetimeMs,
  findApprovedUntil,
  findDeadlineProblems,
  findJudgedLaterProblems,
  findLateProblems,
  parseFactsInstant,
  resendEndProblems,
} from './in-time.ts'

const { builder, writId } = sampleLedger()
const { record } = decide(builder, writId)
const staged = Date.parse(String((record.intent as JsonObject).staged_at))
const LATE = ['its deadline is later than allowed']

/** Of an intent whose deadline is so many milliseconds after it was staged. */
function problems(ms: number, change: JsonObject = {}, expires_at?: string): readonly string[] {
  const intent = { ...(record.intent as JsonObject), ...change, dispatch_before: toInstant(ms) }
  const proposal = {
    ...(record.proposal as JsonObject),
    valid_until: toInstant(LIMITS.dispatchWithinMs),
  }
  const facts = record.facts as JsonObject
  return findDeadlineProblems(intent as never as SignedIntent, proposal, facts, expires_at)
}

function toInstant(ms: number): string {
  return formatInstant(staged + ms)
}

test('a deadline is no later than a dispatch may wait', () => {
  assert.deepEqual(problems(LIMITS.dispatchWithinMs), [])
  assert.deepEqual(problems(LIMITS.dispatchWithinMs + 1), LATE)
})

test('a deadline is no later than the end of its writ', () => {
  assert.deepEqual(problems(1000, {}, toInstant(1000)), [])
  assert.deepEqual(problems(1001, {}, toInstant(1000)), LATE)
})

test('a deadline is no later than what was approved', () => {
  const approval = { valid_until: toInstant(1000) }
  assert.deepEqual(problems(1000, { approval }), [])
  assert.deepEqual(problems(1001, { approval }), LATE)
})

test('what is sent is sent before its deadline, and not at it', () => {
  const dispatch_before = toInstant(10)
  assert.deepEqual(findLateProblems({ dispatch_before }, toInstant(9)), [])
  assert.deepEqual(findLateProblems({ dispatch_before }, toInstant(10)), [
    'it was dispatched after its deadline',
  ])
})

const at = (ms: number): number => staged + ms
const AGAIN = ['it may be sent again for longer than allowed']

/** A resend that was judged at the moment of staging, and may be sent for so many milliseconds. */
function resend(
  ms: number,
  change: Partial<FoldedIntent> = {},
  more: { readonly facts?: JsonValue; readonly expires_at?: string } = {},
): readonly string[] {
  const folded = { until: null, undoes: false, firstSent: staged, keyForMs: null, ...change }
  const { facts = { now: toInstant(0) }, expires_at } = more
  return resendEndProblems(folded as FoldedIntent, toInstant(ms), facts, expires_at)
}

test('a resend ends as early as a dispatch of that moment, its writ, its approval and its key', () => {
  const most = LIMITS.dispatchWithinMs
  assert.deepEqual([resend(most), resend(most + 1)], [[], AGAIN])
  const expires_at = toInstant(5)
  assert.deepEqual([resend(5, {}, { expires_at }), resend(6, {}, { expires_at })], [[], AGAIN])
  const until = at(5)
  assert.deepEqual([resend(5, { until }), resend(6, { until })], [[], AGAIN])
  const key = { firstSent: at(-10), keyForMs: 15 }
  assert.deepEqual([resend(5, key), resend(6, key)], [[], AGAIN])
  for (const facts of [null, {}, { now: 7 }, { now: 'soon' }])
    assert.deepEqual(resend(5, {}, { facts }), [], 'when nobody knows, is said elsewhere')
})

test('a word of an operator ends what was decided on it, and not what takes back', () => {
  const facts = { now: toInstant(0), state: [{ path: 'x' }, { until: toInstant(5) }, null] }
  assert.deepEqual([resend(5, {}, { facts }), resend(6, {}, { facts })], [[], AGAIN])
  assert.deepEqual(resend(6, { undoes: true }, { facts }), [])
  const unread = { now: toInstant(0), state: [{ until: 'late' }] }
  assert.deepEqual(
    resend(1, {}, { facts: unread }),
    AGAIN,
    'an end that nobody can read has passed',
  )
  const decided = (change: JsonObject): readonly string[] =>
    findDeadlineProblems(
      { ...(record.intent as JsonObject), ...change, dispatch_before: toInstant(6) } as never,
      null,
      facts,
      undefined,
    )
  assert.deepEqual([decided({}), decided({ compensation: {} })], [LATE, []])
})

test('an intent is good until it was approved, else until it was proposed for; what takes back has no end', () => {
  const until = (change: JsonObject, proposal: JsonValue | undefined): number | null =>
    findApprovedUntil({ ...(record.intent as JsonObject), ...change } as never, proposal)
  const approval = { valid_until: toInstant(1) }
  const proposal = { valid_until: toInstant(2) }
  assert.equal(until({ approval }, proposal), at(1))
  assert.equal(until({}, proposal), at(2))
  assert.equal(until({}, {}), null)
  assert.equal(until({}, undefined), null)
  assert.equal(until({ approval, compensation: {} }, proposal), null)
  assert.equal(until({}, { valid_until: 'late' }), 0)
  assert.equal(until({}, { valid_until: 7 }), 0)
})

test('facts are of a moment that is no later than what stands on them, and what cannot be read is of none', () => {
  const later = ['it was judged after it was sent']
  assert.deepEqual(findJudgedLaterProblems({ now: toInstant(0) }, toInstant(0)), [])
  assert.deepEqual(findJudgedLaterProblems({ now: toInstant(1) }, toInstant(0)), later)
  assert.deepEqual(findJudgedLaterProblems(undefined, toInstant(0)), later)
  assert.equal(parseFactsInstant({ now: toInstant(3) }), at(3))
  for (const facts of [undefined, null, {}, { now: 7 }, { now: 'soon' }])
    assert.equal(parseFactsInstant(facts), Number.POSITIVE_INFINITY)
})

test('a provider knows a key for its window less a margin, and for a window that cannot be read not at all', () => {
  const tell = (effect: string, idempotency?: JsonValue): number | null =>
    computeKeyLifetimeMs({ effect, idempotency } as unknown as CapabilityDescription)
  assert.equal(tell('keyed', { window_s: 600 }), 600_000 - LIMITS.idempotencyMarginMs)
  assert.equal(tell('keyed'), null)
  assert.equal(tell('unsafe', { window_s: 60 }), null)
  assert.equal(computeKeyLifetimeMs(undefined), null)
  for (const idempotency of [null, {}, { window_s: '60' }, { window_s: 1.5 }, 7])
    assert.equal(tell('keyed', idempotency), Number.NEGATIVE_INFINITY)
})

test('without an end of its own a deadline is no later than a dispatch may wait, and one that nobody can read is', () => {
  const tell = (dispatch_before: string, proposal: JsonValue = {}): readonly string[] => {
    const intent = { ...(record.intent as JsonObject), dispatch_before }
    return findDeadlineProblems(intent as never, proposal, null, undefined)
  }
  assert.deepEqual(tell(toInstant(LIMITS.dispatchWithinMs)), [])
  assert.deepEqual(tell(toInstant(LIMITS.dispatchWithinMs + 1)), LATE)
  assert.deepEqual(tell('soon'), LATE)
})
