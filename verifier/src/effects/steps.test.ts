import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKept } from '../compact-records/parts.ts'
import { decide, sampleLedger } from '../samples/sample-ledger.test-support.ts'
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
