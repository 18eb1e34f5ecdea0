import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../canonical/json-value.ts'
import { LIMITS } from '../limits.ts'
import { AGENT } from './case.test-support.ts'
import { refused, staged, verdictOf } from './expect.test-support.ts'

const signed = (change: JsonObject): JsonObject => ({
  kind: 'signature',
  agent_id: null,
  signature: { key_id: 'key-agent', purpose: 'agent', subject: AGENT, valid: true, ...change },
})

test('a proposal for another flow is not from this session', () => {
  const dfid = '0195555c-0000-7000-8000-000000000002'
  assert.deepEqual(refused({ proposal: { dfid } }, 'IDENTITY_MISMATCH').details, { member: 'dfid' })
})

test('a proposal in the name of another agent is refused, and so is its session', () => {
  refused({ proposal: { agent_id: 'somebody_else' } }, 'IDENTITY_MISMATCH')
  refused({ facts: { auth: { agent_id: 'somebody_else' } } }, 'IDENTITY_MISMATCH')
  refused({ facts: { flow: { agent_id: 'somebody_else' } } }, 'IDENTITY_MISMATCH')
})

test('identity is decided before the state of the flow is told', () => {
  const facts = { flow: { state: 'CLOSED' }, auth: { agent_id: 'somebody_else' } }
  refused({ facts }, 'IDENTITY_MISMATCH')
})

test('only an active flow takes a new step', () => {
  for (const state of ['CREATED', 'VALIDATING', 'ACCEPTED', 'EXECUTING', 'ESCALATED', 'CLOSED'])
    refused({ facts: { flow: { state } } }, 'FLOW_NOT_OPEN')
  refused({ facts: { flow: { state: 'ABORTED' } } }, 'FLOW_NOT_OPEN')
  staged({ facts: { flow: { state: 'ACTIVE' } } })
})

test('a flow takes no more proposals than can be looked through, and repeats what it took', () => {
  const attempt = LIMITS.proposalsPerFlow
  staged({ facts: { attempt } })
  refused({ facts: { attempt: attempt + 1 } }, 'FLOW_FULL')
  refused({ facts: { attempt: attempt + 1, flow: { state: 'CLOSED' } } }, 'FLOW_NOT_OPEN')
  const claim = { status: 'SUCCESS' }
  assert.equal(verdictOf({ facts: { attempt: attempt + 1, claim } }).kind, 'repeated')
})

test('a claimed step that is settled answers with its first outcome, also when the flow ended', () => {
  for (const status of ['SUCCESS', 'FAILED', 'ABANDONED']) {
    const verdict = verdictOf({ facts: { claim: { status }, flow: { state: 'CLOSED' } } })
    assert.equal(verdict.kind, 'repeated')
    assert.deepEqual(
      verdict.trace.map(({ stage, said }) => [stage, said]),
      [['repeat', 'repeat']],
    )
  }
})

test('a claimed step that is not settled is in flight', () => {
  for (const status of ['DISPATCHED', 'UNKNOWN', 'NOT_APPLIED', 'MANUAL_REVIEW'])
    assert.equal(refused({ facts: { claim: { status } } }, 'STEP_IN_FLIGHT').details.status, status)
})

test('other parameters under a claimed step are refused whatever became of it', () => {
  for (const status of ['SUCCESS', 'DISPATCHED'])
    refused({ facts: { claim: { params_fingerprint: 'other', status } } }, 'STEP_PARAMS_MISMATCH')
})

test('a claimed step tells its outcome to a proven signature', () => {
  const facts = { auth: signed({}), claim: { status: 'SUCCESS' } }
  assert.equal(verdictOf({ facts }).kind, 'repeated')
})

test('a claimed step tells nothing to a session whose key has ended', () => {
  const key = { key_id: 'key-agent', purpose: 'agent', subject: AGENT }
  const claim = { status: 'SUCCESS' }
  assert.equal(verdictOf({ facts: { auth: { key }, claim } }).kind, 'repeated')
  const ended = { ...key, purpose: null, subject: null }
  refused({ facts: { auth: { key: ended }, claim } }, 'IDENTITY_MISMATCH')
})

test('a claimed step tells nothing to a signature that proves nothing', () => {
  for (const change of [{ valid: false }, { purpose: 'witness' }, { subject: 'somebody_else' }]) {
    for (const claim of [{ status: 'SUCCESS' }, { status: 'UNKNOWN' }, { params_fingerprint: '0' }])
      refused(
        { facts: { auth: signed(change), claim: { status: 'SUCCESS', ...claim } } },
        'IDENTITY_MISMATCH',
      )
  }
})
