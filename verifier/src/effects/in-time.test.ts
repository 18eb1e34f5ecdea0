import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatInstant, type JsonObject, LIMITS, type SignedIntent } from 'rubicon-kernel'
import { decide, sampleLedger } from '../samples/sample-ledger.test-support.ts'
import { findDeadlineProblems } from './in-time.ts'

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
