/** What an intent says of its approval, and what ran, is what was decided. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApprovalFact, ApprovalPayload, JsonObject, JsonValue } from 'rubicon-kernel'
import { isAsWritten, isStated, listTriggerIds } from './as-approved.ts'

const UNTIL = '2026-02-01T10:00:00.000Z'
const PAST = { successes: 3, of_kind: 1, largest: null }
const REQUEST = { impact: 'LOW_IMPACT', past: PAST, rules_hash: 'rules', proposal_hash: 'asked' }
const BODY = { decision: 'OVERRIDE', approver: 'ann', lifts: ['kind'] }
const FACT = {
  ...BODY,
  binds: 'digest',
  impact: 'LOW_IMPACT',
  past: PAST,
  rules_hash: 'rules',
  valid_until: UNTIL,
}

type Asked = Parameters<typeof isStated>[0]

function parseAsked(request: JsonObject, until: string | null): Asked {
  return { request, until } as unknown as Asked
}

function states(
  fact: JsonObject,
  request: JsonObject = REQUEST,
  more: JsonObject = {},
  until: string | null = UNTIL,
): boolean {
  const payload = { body: BODY, releases: 'digest', ...more } as unknown as ApprovalPayload
  return isStated(parseAsked(request, until), payload, fact as unknown as ApprovalFact)
}

test('each member of what is stated is that of the decision, and it ends no later', () => {
  assert.equal(states(FACT), true)
  const changes: readonly JsonObject[] = [
    { decision: 'MODIFY' },
    { binds: 'another' },
    { approver: 'bob' },
    { lifts: [] },
    { impact: 'HIGH_IMPACT' },
    { past: { ...PAST, successes: 4 } },
    { rules_hash: 'another' },
    { valid_until: '2026-02-01T10:00:00.001Z' },
  ]
  for (const change of changes)
    assert.equal(states({ ...FACT, ...change }), false, JSON.stringify(change))
  assert.equal(states({ ...FACT, valid_until: '2026-02-01T09:00:00.000Z' }), true)
  assert.equal(states(FACT, REQUEST, {}, null), false, 'nobody has approved it')
})

test('a modification has an impact of its own; who had done nothing has no past', () => {
  const modification = { impact: 'HIGH_IMPACT' }
  assert.equal(states(FACT, REQUEST, { modification }), false)
  assert.equal(states({ ...FACT, impact: 'HIGH_IMPACT' }, REQUEST, { modification }), true)
  const { past: _, ...without } = REQUEST
  assert.equal(states(FACT, without), false)
  const past = { successes: 0, of_kind: 0, largest: null }
  assert.equal(states({ ...FACT, past }, without), true)
})

test('what a person wrote is what ran, in place of what was asked', () => {
  const modified = { params: { quantity: '2' } } as ApprovalPayload['body']['modified']
  const asked = parseAsked(REQUEST, null)
  const ran = (proposal: JsonValue | undefined): boolean => isAsWritten(asked, modified, proposal)
  assert.equal(ran({ params: { quantity: '2' }, supersedes: 'asked' }), true)
  assert.equal(ran({ params: { quantity: '3' }, supersedes: 'asked' }), false)
  assert.equal(ran({ params: { quantity: '2' }, supersedes: 'another' }), false)
  assert.equal(ran({ params: { quantity: '2' } }), false)
  assert.equal(ran('a text'), false)
  assert.equal(ran(undefined), false)
  assert.equal(isAsWritten(asked, undefined, { supersedes: 'asked' }), false)
  const none = { params: {} } as ApprovalPayload['body']['modified']
  assert.equal(isAsWritten(asked, none, { supersedes: 'asked' }), true)
})

test('what is no trigger has a name that nobody lifts', () => {
  const line = (triggers: JsonValue): JsonValue => [{ stage: 'policy', said: 'suspend', triggers }]
  assert.deepEqual(listTriggerIds(line([{ id: 'kind' }, { id: 7 }, 'kind'])), ['kind', '', ''])
  assert.deepEqual(listTriggerIds([]), [])
})
