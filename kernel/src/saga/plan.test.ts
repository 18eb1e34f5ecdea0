import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ExecutionStatus } from '../execution/outcome.ts'
import { listOfferedChoices, type Plan, planCompensation } from './plan.ts'
import type { SagaFact, SagaStep } from './saga.ts'

const step = (
  step_id: string,
  status: ExecutionStatus = 'SUCCESS',
  menu: readonly string[] = ['REVERT'],
): SagaStep => ({ dfid: 'flow-1', step_id, intent_id: `sha256:${step_id}`, status, menu })

const saga = (change: Partial<SagaFact> = {}): SagaFact => ({
  dfid: 'flow-1',
  agent_id: 'trader',
  standing: 'open',
  related: true,
  menu: ['REVERT', 'CLOSE_ALL'],
  steps: [step('a'), step('b')],
  ...change,
})

function said(plan: Plan): string {
  return plan.ok ? plan.undo.map(({ step_id }) => step_id).join(' ') : plan.refusal.code
}

function detailsOf(plan: Plan): unknown {
  return plan.ok ? null : plan.refusal.details
}

test('effects are undone in the reverse order of their success', () => {
  assert.equal(said(planCompensation(saga(), 'REVERT')), 'b a')
  assert.equal(said(planCompensation(saga({ steps: [] }), 'REVERT')), '')
})

test('what failed or was given up needs no undoing', () => {
  const steps = [step('a'), step('b', 'FAILED', []), step('c', 'ABANDONED', []), step('d')]
  assert.equal(said(planCompensation(saga({ steps }), 'REVERT')), 'd a')
})

test('a flow of somebody else cannot be told from one that is not there', () => {
  for (const fact of [null, undefined, saga({ related: false })]) {
    const plan = planCompensation(fact, 'REVERT')
    assert.equal(said(plan), 'COMPENSATION_FOREIGN')
    assert.deepEqual(detailsOf(plan), {})
  }
})

test('a flow that is clean, or about which somebody has decided, is not dirty any more', () => {
  for (const standing of [null, 'compensating', 'with_person', 'compensated', 'settled'] as const)
    for (const action of ['REVERT', 'ALERT_HUMAN'])
      assert.equal(said(planCompensation(saga({ standing }), action)), 'FLOW_NOT_DIRTY')
})

test('the contract lists the choice, whatever a capability can do', () => {
  const plan = planCompensation(saga({ menu: ['CLOSE_ALL'] }), 'REVERT')
  assert.equal(said(plan), 'COMPENSATION_MENU')
  assert.deepEqual(detailsOf(plan), { menu: ['CLOSE_ALL', 'ALERT_HUMAN'] })
  for (const action of ['REPAIR', '', 7, null, undefined])
    assert.equal(said(planCompensation(saga(), action)), 'COMPENSATION_MENU')
})

test('the capability of every effect that stands lists the choice, whatever the contract says', () => {
  const steps = [step('a'), step('b', 'SUCCESS', ['CLOSE_ALL'])]
  const plan = planCompensation(saga({ steps }), 'REVERT')
  assert.equal(said(plan), 'COMPENSATION_MENU')
  assert.deepEqual(detailsOf(plan), { cannot: ['flow-1:b'] })
  const open = saga({ steps: [step('a'), step('b', 'UNKNOWN', [])] })
  assert.equal(said(planCompensation(open, 'REVERT')), 'COMPENSATION_MENU')
})

test('what has no outcome yet is waited for', () => {
  for (const status of [
    'ACCEPTED',
    'DISPATCHED',
    'UNKNOWN',
    'NOT_APPLIED',
    'MANUAL_REVIEW',
  ] as const) {
    const plan = planCompensation(saga({ steps: [step('a'), step('b', status)] }), 'REVERT')
    assert.equal(said(plan), 'COMPENSATION_WAITS')
    assert.deepEqual(detailsOf(plan), { waits_for: ['flow-1:b'] })
  }
})

test('a person may always be asked: nothing is waited for, and nobody has to list it', () => {
  const fact = saga({ menu: [], steps: [step('a', 'UNKNOWN', [])] })
  assert.equal(said(planCompensation(fact, 'ALERT_HUMAN')), '')
})

test('what every standing effect can do is offered, and a person can always be asked', () => {
  const offered = (...steps: readonly SagaStep[]): readonly string[] =>
    listOfferedChoices(saga({ steps }))
  assert.deepEqual(offered(step('a')), ['REVERT', 'ALERT_HUMAN'])
  assert.deepEqual(offered(step('a'), step('b', 'UNKNOWN', [])), ['ALERT_HUMAN'])
  assert.deepEqual(offered(step('a'), step('b', 'FAILED', [])), ['REVERT', 'ALERT_HUMAN'])
  const asked = saga({ menu: ['ALERT_HUMAN', 'REVERT'] })
  assert.deepEqual(listOfferedChoices(asked), ['REVERT', 'ALERT_HUMAN'])
})
