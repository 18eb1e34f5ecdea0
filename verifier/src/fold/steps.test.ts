import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKept } from '../kept/parts.ts'
import { decide, sampleLedger } from '../sample-ledger.test-support.ts'
import { foldedOf } from './folded-intent.ts'
import { createSteps } from './steps.ts'

test('a step stays claimed, whatever its flow claims after it', () => {
  const { builder, writId } = sampleLedger()
  const steps = createSteps(createKept())
  const claim = (id: string, step_id: string): string[] => {
    const { record } = decide(builder, writId, { step_id })
    const payload = record as unknown as Parameters<typeof foldedOf>[0]
    return steps.claim(id, foldedOf(payload, 'DISPATCHED', undefined))
  }
  assert.deepEqual(claim('a', 'step-1'), [])
  assert.deepEqual(claim('b', 'step-2'), [])
  const again = ['step `step-1` of its flow was claimed before']
  assert.deepEqual(claim('c', 'step-1'), again)
})
