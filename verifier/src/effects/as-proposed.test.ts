import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AcceptedPayload, JsonObject } from 'rubicon-kernel'
import { decide, sampleLedger } from '../samples/sample-ledger.test-support.ts'
import { findIntentProblems } from './as-proposed.ts'

const { builder, writId } = sampleLedger()

function problems(intent: JsonObject, proposal: JsonObject): readonly string[] {
  const { record } = decide(builder, writId)
  const changed = {
    ...record,
    intent: { ...(record.intent as JsonObject), ...intent },
    proposal: { ...(record.proposal as JsonObject), ...proposal },
  }
  return findIntentProblems(changed as unknown as AcceptedPayload)
}

test('everything that was proposed otherwise is said', () => {
  const resources = [{ id: 'table' }]
  assert.deepEqual(problems({}, {}), [])
  assert.deepEqual(problems({ resources }, { resources }), [])
  assert.deepEqual(problems({ resources }, { params: {}, resources: [] }), [
    '`params` is not what was proposed',
    'it needs resources that were not named',
  ])
})

test('an approval that the facts do not know is said, and one that the intent leaves out', () => {
  const approval = { request_id: 'r', valid_until: '2026-01-01T00:00:00.000Z' }
  assert.deepEqual(problems({ approval }, {}), ['`approval` is not what the facts say'])
})

test('every member of an intent that stands in the facts too is compared with them', () => {
  for (const name of [
    ...['staged_at', 'tenant', 'attempt', 'dfid', 'agent_id', 'trajectory', 'snapshot_id'],
    ...['contract_hash', 'capability_hash', 'policy_kind', 'writ_id', 'rules_hash'],
  ])
    assert.ok(
      problems({ [name]: 'another' }, {}).includes(`\`${name}\` is not what the facts say`),
      name,
    )
})

test('every member of an intent that was proposed is compared with what was proposed', () => {
  for (const [name, member] of [
    ...['dfid', 'agent_id', 'policy_kind', 'step_id', 'params', 'writ_id'].map((one) => [one, one]),
    ['constraints', 'execution_constraints'],
    ['snapshot_id', 'context_ref'],
  ] as const) {
    const said = problems({}, { [String(member)]: { another: 1 } })
    assert.deepEqual(said, [`\`${name}\` is not what was proposed`], name)
  }
})

test('what a proposal leaves out is its first step, nothing at all, and what its flow has', () => {
  const { record } = decide(builder, writId)
  const { intent, proposal, facts } = record as Record<string, JsonObject>
  const { step_id: _, params: __, execution_constraints: ___, ...rest } = proposal ?? {}
  const { context_ref: ____, writ_id: _____, ...bare } = rest
  const tell = (change: JsonObject): readonly string[] => {
    const changed = { ...intent, params: {}, constraints: {}, step_id: 'step-1', ...change }
    return findIntentProblems({ intent: changed, proposal: bare, facts } as never)
  }
  assert.deepEqual(tell({}), [])
  assert.deepEqual(tell({ step_id: 'step-2' }), ['`step_id` is not what was proposed'])
  assert.deepEqual(tell({ params: { a: 1 } }), ['`params` is not what was proposed'])
  assert.deepEqual(tell({ constraints: { a: 1 } }), ['`constraints` is not what was proposed'])
})

test('without a proposal nothing was proposed, and what takes back stands on that of its choice', () => {
  const { record } = decide(builder, writId)
  const without = { ...record, proposal: null }
  assert.deepEqual(findIntentProblems(without as never), ['it has no proposal'])
  const intent = { ...(record.intent as JsonObject), compensation: {}, params: 'others' }
  assert.deepEqual(findIntentProblems({ ...record, intent, proposal: null } as never), [])
})

test('a resource without an id is named by nobody but another one', () => {
  const named = [{ id: 'table' }, {}]
  assert.deepEqual(problems({ resources: [{}] }, { resources: named }), [])
  const missing = ['it needs resources that were not named']
  assert.deepEqual(problems({ resources: [{}] }, { resources: [{ id: 'table' }] }), missing)
  assert.deepEqual(problems({ resources: ['table'] }, { resources: named }), missing)
  assert.deepEqual(problems({ resources: [{ id: 'chair' }] }, {}), [], 'none were claimed')
})
