import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withCase } from '../compile/case.test-support.ts'
import { DESCRIPTION } from '../compile/case-law.test-support.ts'
import { createFactView } from '../compile/input.ts'
import { LIMITS } from '../limits.ts'
import { evaluatePolicies, type PolicyOutcome } from './evaluate.ts'
import type { Policy, PolicyInput } from './policy.ts'

const { facts, proposal, contract, writs } = withCase({})
const writ = writs[0]?.body
assert.ok(contract !== null && writ !== undefined)
const input: PolicyInput = {
  proposal,
  writ,
  contract,
  capability: DESCRIPTION,
  measures: {},
  facts: createFactView(facts.value, { law: { description: DESCRIPTION }, contract }),
}

const named = (name: string, answer: () => unknown, applies_to?: readonly string[]): Policy => ({
  name,
  version: '2',
  source: { kind: 'unpinned' },
  evaluate: answer as Policy['evaluate'],
  ...(applies_to === undefined ? {} : { applies_to }),
})
const run = (answer: () => unknown): PolicyOutcome =>
  evaluatePolicies([named('rule', answer)], input)

test('when none speaks nothing stands in the way', () => {
  assert.deepEqual(evaluatePolicies([], input), { lines: [], refusals: [], triggers: [] })
  assert.equal(run(() => ({ decision: null })).lines[0]?.said, 'nothing')
})

test('all that apply run, in order, and the trace names each', () => {
  const { lines } = evaluatePolicies(
    [
      named('first', () => ({ decision: { kind: 'permit' }, determining: ['a', 'b'] })),
      named('elsewhere', () => assert.fail('ran'), ['SELL']),
      named('here', () => ({ decision: { kind: 'deny', reason: 'no' } }), ['SELL', 'BUY']),
    ],
    input,
  )
  assert.deepEqual(lines, [
    { policy: 'first', version: '2', said: 'permit', determining: ['a', 'b'], erroring: [] },
    { policy: 'here', version: '2', said: 'deny', reason: 'no', determining: [], erroring: [] },
  ])
})

test('a denial refuses and names its rules', () => {
  const { refusals } = run(() => ({
    decision: { kind: 'deny', reason: 'no' },
    determining: ['friday'],
  }))
  const details = { policy: 'rule', reason: 'no', rules: ['friday'] }
  assert.deepEqual(refusals, [{ code: 'POLICY_DENIED', details }])
})

test('a request for approval names its channel', () => {
  const decision = { kind: 'require_approval', channel: 'risk-desk', reason: 'large' }
  const { refusals, triggers, lines } = run(() => ({ decision }))
  assert.deepEqual(refusals, [])
  assert.deepEqual(
    triggers.map(({ id, code, channel }) => [id, code, channel]),
    [['policy:rule@risk-desk', 'APPROVAL_REQUIRED', 'risk-desk']],
  )
  assert.ok(lines[0] !== undefined && !('asks' in lines[0]))
})

test('every channel that a policy asks has a trigger of its own, with all that it is asked for', () => {
  const also = [
    { channel: 'legal', reason: 'abroad' },
    { channel: 'risk-desk', reason: 'new' },
    { channel: 'risk-desk', reason: 'large' },
  ]
  const decision = { kind: 'require_approval', channel: 'risk-desk', reason: 'large', also }
  const { triggers, lines } = run(() => ({ decision, determining: ['a', 'b'] }))
  assert.deepEqual(
    triggers.map(({ id, channel, details }) => [id, channel, details.reason, details.rules]),
    [
      ['policy:rule@risk-desk', 'risk-desk', 'large; new', ['a', 'b']],
      ['policy:rule@legal', 'legal', 'abroad', ['a', 'b']],
    ],
  )
  assert.equal(lines[0]?.reason, 'large; new; abroad')
})

test('a rule that errs refuses, whatever the policy decided', () => {
  const { refusals } = run(() => ({
    decision: { kind: 'permit' },
    determining: ['monday'],
    erroring: [{ rule: 'friday', detail: 'no calendar' }],
  }))
  assert.deepEqual(
    refusals.map(({ code, details }) => [code, details.reason, details.rules]),
    [['POLICY_ERROR', 'friday: no calendar', ['friday']]],
  )
})

test('a policy that throws refuses, also when it throws something that is no error', () => {
  const reasons = [new Error('bang'), 'bang'].map((thrown) => {
    const { refusals } = run(() => {
      throw thrown
    })
    assert.equal(refusals[0]?.code, 'POLICY_ERROR')
    return refusals[0]?.details.reason
  })
  assert.deepEqual(reasons, ['rule: bang', 'rule: threw something that is not an error'])
})

test('an answer that is none refuses and does not stop the others', () => {
  const answers: readonly unknown[] = [
    undefined,
    null,
    Promise.resolve({ decision: { kind: 'permit' } }),
    {},
    { decision: { kind: 'perhaps' } },
    { decision: { kind: 'deny' } },
    { decision: { kind: 'require_approval', reason: 'large' } },
    { decision: { kind: 'require_approval', reason: 'large', channel: 7 } },
    { decision: { kind: 'require_approval', reason: 7, channel: 'desk' } },
    { decision: { kind: 'deny', reason: 7 } },
    ...[7, [null], [{}], [{ channel: 'desk' }], [{ reason: 'large' }]].map((also) => {
      return { decision: { kind: 'require_approval', channel: 'desk', reason: 'large', also } }
    }),
    { decision: { kind: 'permit' }, determining: [1n] },
    { decision: { kind: 'permit' }, determining: null },
    { decision: { kind: 'permit' }, erroring: null },
  ]
  for (const answer of answers) {
    const { refusals, triggers } = run(() => answer)
    assert.deepEqual(
      refusals.map(({ code }) => code),
      ['POLICY_ERROR'],
    )
    assert.deepEqual(triggers, [])
  }
})

test('a policy that costs more than is left is not asked, and refuses; all of a decision share the steps', () => {
  const costing = (name: string, steps: Policy['steps'], answer?: () => unknown): Policy => ({
    ...named(name, answer ?? (() => ({ decision: null }))),
    ...(steps === undefined ? {} : { steps }),
  })
  const half = LIMITS.policySteps / 2
  const asked = (...policies: readonly Policy[]): readonly unknown[] =>
    evaluatePolicies(policies, input).lines.map(({ policy, said }) => [policy, said])
  // What is thrown would be an error too: whoever is asked says yes.
  const unasked = (): unknown => ({ decision: { kind: 'permit' } })
  assert.deepEqual(
    asked(
      costing('first', () => half),
      costing('second', () => half + 1, unasked),
      costing('third', () => half),
      costing('fourth', () => 1, unasked),
      costing('free', undefined),
    ),
    [
      ['first', 'nothing'],
      ['second', 'error'],
      ['third', 'nothing'],
      ['fourth', 'error'],
      ['free', 'nothing'],
    ],
  )
  const untold = [() => Number.NaN, () => -1, (): number => assert.fail('no steps')]
  for (const steps of untold) {
    const { refusals } = evaluatePolicies([costing('rule', steps, unasked)], input)
    assert.deepEqual(
      refusals.map(({ code }) => code),
      ['POLICY_ERROR'],
    )
    assert.match(String(refusals[0]?.details.reason), /^rule: the parameters are too long/)
  }
})
