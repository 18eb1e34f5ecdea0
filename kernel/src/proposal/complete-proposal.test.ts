import assert from 'node:assert/strict'
import { test } from 'node:test'
import { completeProposal, FLOW_MEMBERS, listMissingMembers } from './complete-proposal.ts'
import { parseProposal } from './parse-proposal.ts'

const FLOW = { dfid: 'd', agent_id: 'a', context_ref: 'c', mission_context_hash: 'm' }
const SIGNED = { policy_kind: 'BUY', signature: { key_id: 'k', sig: 's' } }

test('what a proposal lacks is the flow\u2019s, and what it says stays, right or wrong', () => {
  const sent = { policy_kind: 'BUY', agent_id: 'somebody' }
  const lacked = listMissingMembers(sent)
  assert.deepEqual(lacked, ['context_ref', 'dfid', 'mission_context_hash'])
  const whole = completeProposal(sent, lacked, FLOW)
  assert.deepEqual({ ...whole }, { ...FLOW, ...sent })
  assert.deepEqual(listMissingMembers(whole), [])
  assert.deepEqual(Object.keys(sent), ['policy_kind', 'agent_id'], 'what came is left alone')
})

test('an explicit null is said, and refused as what it is', () => {
  const sent = { ...FLOW, context_ref: null }
  assert.deepEqual(listMissingMembers(sent), [])
  assert.deepEqual(listMissingMembers([]), [])
})

test('finding 25b: what a signed proposal lacks is named, and not filled in', () => {
  assert.deepEqual(listMissingMembers(SIGNED), [])
  const parsed = parseProposal(SIGNED)
  assert.ok(!parsed.ok)
  assert.equal(parsed.error.code, 'SCHEMA_INVALID')
  const { problems } = parsed.error.details
  assert.ok(Array.isArray(problems))
  assert.deepEqual(problems.map(({ member }) => member).sort(), [...FLOW_MEMBERS])
})
