import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { IntentBody } from 'rubicon-kernel'
import { createKept } from '../compact-records/parts.ts'
import { DFID, decide, sampleLedger } from '../samples/sample-ledger.test-support.ts'
import { toFoldedIntent } from './folded-intent.ts'
import { createSteps } from './steps.ts'

test('a step stays claimed, whatever its flow claims after it', () => {
  const { builder, writId } = sampleLedger()
  const steps = createSteps(createKept())
  const claim = (id: string, step_id: string): string[] => {
    const { record } = decide(builder, writId, { step_id })
    const payload = record as unknown as Parameters<typeof toFoldedIntent>[0]
    return steps.claim(id, toFoldedIntent(payload, 'DISPATCHED', undefined))
  }
  assert.deepEqual(claim('a', 'step-1'), [])
  assert.deepEqual(claim('b', 'step-2'), [])
  const again = ['step `step-1` of its flow was claimed before']
  assert.deepEqual(claim('c', 'step-1'), again)
})

test('what was found out before nobody knew more still counts after it', () => {
  const { builder, writId } = sampleLedger()
  const outcome = (learnt: boolean): string[] => {
    const steps = createSteps(createKept())
    const payload = decide(builder, writId).record as unknown as Parameters<
      typeof toFoldedIntent
    >[0]
    steps.claim('a', toFoldedIntent(payload, 'DISPATCHED', undefined))
    if (learnt) steps.learn('a', { source: 'probe', finding: 'applied' })
    assert.deepEqual(steps.settle('a', 'UNKNOWN'), [])
    return steps.settle('a', 'SUCCESS')
  }
  assert.deepEqual(outcome(true), [])
  assert.deepEqual(outcome(false), ['no evidence found it applied before it became SUCCESS'])
})

test('sent again is what nobody knows of under its key, and what was not applied; what is unsafe never is', () => {
  const { builder, writId } = sampleLedger()
  const resend = (
    effect: string,
    status: 'NOT_APPLIED' | 'UNKNOWN',
    why: 'not_applied' | 'same_key',
  ): string[] => {
    const steps = createSteps(createKept())
    const payload = decide(builder, writId).record as unknown as Parameters<
      typeof toFoldedIntent
    >[0]
    const folded = { ...toFoldedIntent(payload, status, undefined), effect }
    steps.claim('a', folded as ReturnType<typeof toFoldedIntent>)
    return steps.sendAgain('a', why)
  }
  assert.deepEqual(resend('keyed', 'UNKNOWN', 'same_key'), [])
  assert.deepEqual(resend('queryable', 'NOT_APPLIED', 'not_applied'), [])
  assert.deepEqual(resend('queryable', 'UNKNOWN', 'same_key'), ['no probe found it absent'])
  const unsafe = ['it is sent again, and is unsafe']
  assert.deepEqual(resend('unsafe', 'UNKNOWN', 'same_key'), unsafe)
  assert.deepEqual(resend('unsafe', 'NOT_APPLIED', 'not_applied'), unsafe)
  assert.match(resend('keyed', 'NOT_APPLIED', 'same_key').join(), /while it is NOT_APPLIED/)
})

test('a flow has taken a step, unless it only asked for a person; what asks twice asked once', () => {
  const { builder, writId } = sampleLedger()
  const steps = createSteps(createKept())
  const claim = (id: string, change: Partial<IntentBody>): void => {
    const { record } = decide(builder, writId, change)
    const payload = record as unknown as Parameters<typeof toFoldedIntent>[0]
    steps.claim(id, toFoldedIntent(payload, 'DISPATCHED', undefined))
  }
  assert.equal(steps.hasTaken(DFID), false)
  const asking = { step_id: 'ask', policy_kind: 'ESCALATE' }
  claim('a', asking)
  claim('b', asking)
  assert.equal(steps.hasTaken(DFID), false)
  claim('c', { step_id: 'step-1' })
  assert.equal(steps.hasTaken(DFID), true)
})
