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
