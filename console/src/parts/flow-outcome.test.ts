import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeFlowOutcome, type FlowCourse } from './flow-outcome.ts'

function word(flow: Partial<FlowCourse>): string {
  return describeFlowOutcome({ state: 'ACTIVE', steps: 'one', tags: [], rejections: 0, ...flow })
    .word
}

test('a flow that was refused says that its agent may try again', () => {
  assert.equal(word({}), 'active')
  assert.equal(word({ rejections: 1 }), '1 refusal, may try again')
  assert.equal(word({ rejections: 2 }), '2 refusals, may try again')
  assert.equal(word({ state: 'VALIDATING', rejections: 2 }), 'validating')
})

test('a flow that has ended says what came of it', () => {
  assert.equal(word({ state: 'CLOSED' }), 'done')
  assert.equal(word({ state: 'CLOSED', rejections: 1 }), 'done')
  assert.equal(word({ state: 'CLOSED', steps: 'many' }), 'ended by its agent')
  assert.equal(word({ state: 'ABORTED' }), 'aborted')
  assert.equal(word({ state: 'ABORTED', rejections: 3 }), 'aborted, 3 refusals')
})

test('a flow of which nothing was carried out is not called done', () => {
  const lost = { state: 'CLOSED', outcome: 'rejected' } as const
  assert.equal(word(lost), 'not carried out')
  assert.equal(word({ ...lost, outcome: 'accepted' }), 'done')
  assert.equal(word({ ...lost, steps: 'many' }), 'ended by its agent')
})

test('a flow that a guard or a limit has flagged says that somebody has to look', () => {
  const flagged = { state: 'CLOSED', tags: ['NEEDS_REVIEW'] } as const
  assert.equal(word(flagged), 'done, needs a review')
  assert.equal(word({ ...flagged, steps: 'many' }), 'ended by its agent, needs a review')
})

test('what nobody knows, what is half done and what was taken back come first', () => {
  assert.equal(word({ state: 'EXECUTING', tags: ['UNKNOWN'] }), 'outcome unknown')
  assert.equal(word({ state: 'ABORTED', tags: ['DIRTY'] }), 'aborted, half done')
  assert.equal(word({ state: 'CLOSED', tags: ['COMPENSATED'] }), 'taken back')
})
