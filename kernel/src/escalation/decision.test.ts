import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import { LIMITS } from '../limits.ts'
import { NOBODY } from '../person/person.ts'
import { buildApprovalBody, buildExpiryBody } from './approval.ts'
import { DECISION, REQUEST } from './case.test-support.ts'
import { parseDecision, parseModification } from './decision.ts'

function codeOf(document: JsonValue): string | null {
  const read = parseDecision(document)
  return read.ok ? null : read.error.code
}

const modified: JsonObject = { params: { quantity: '1' } }

test('a decision is read as it stands; without lifts it lifts nothing', () => {
  const read = parseDecision(DECISION)
  assert.ok(read.ok)
  assert.deepEqual(read.value, DECISION)
  const longest = 'x'.repeat(16_384)
  assert.equal(codeOf({ ...DECISION, justification: longest, acknowledgement: longest }), null)
  const { lifts: _, ...rest } = DECISION
  const none = parseDecision(rest)
  assert.deepEqual(none.ok && none.value.lifts, [])
})

test('every member that is missing, unknown or of another form is refused', () => {
  assert.equal(codeOf(null), 'DECISION_INVALID')
  for (const name of [
    'decision',
    'intent_digest',
    'shown_snapshot',
    'justification',
    'valid_until',
  ]) {
    const { [name]: _, ...rest } = DECISION
    assert.equal(codeOf(rest), 'DECISION_INVALID', name)
  }
  const wrong: JsonObject = {
    decision: 1,
    intent_digest: 'two words',
    shown_snapshot: 7,
    lifts: 'all',
    valid_until: '2026-03-02',
    justification: 'x'.repeat(16_385),
    acknowledged_impact: 'YES',
    modified: { params: 1 },
    retire: 'yes',
    signature: { key_id: 'k' },
    force: true,
  }
  for (const [name, value] of Object.entries(wrong))
    assert.equal(codeOf({ ...DECISION, [name]: value }), 'DECISION_INVALID', name)
  assert.equal(codeOf({ ...DECISION, lifts: [1] }), 'DECISION_INVALID')
  assert.equal(codeOf({ ...DECISION, valid_until: 5 }), 'DECISION_INVALID')
  for (const signature of [
    1,
    { key_id: 1, sig: 's' },
    { key_id: 'k', sig: 1 },
    { key_id: 'k', x: '' },
  ])
    assert.equal(codeOf({ ...DECISION, signature }), 'DECISION_INVALID')
})

test('as many lifts are read as a contract has limits, and no more', () => {
  const lifts = Array.from({ length: LIMITS.contractLimits }, (_, i) => `limit:${i}`)
  assert.equal(codeOf({ ...DECISION, lifts }), null)
  assert.equal(codeOf({ ...DECISION, lifts: [...lifts, 'one more'] }), 'DECISION_INVALID')
})

test('an approval without an end is told so', () => {
  const { valid_until: _, ...endless } = DECISION
  const read = parseDecision(endless)
  assert.ok(!read.ok)
  const problems = [{ member: 'valid_until', detail: 'is missing' }]
  assert.deepEqual(read.error, { code: 'DECISION_INVALID', details: { problems } })
})

test('there are three words, and no fourth', () => {
  assert.equal(codeOf({ ...DECISION, decision: 'APPROVE' }), 'DECISION_UNKNOWN')
  assert.equal(codeOf({ ...DECISION, decision: 'override' }), 'DECISION_UNKNOWN')
})

test('a modification goes with MODIFY, and retirement with ABORT', () => {
  const modify = { ...DECISION, decision: 'MODIFY' }
  assert.equal(codeOf({ ...modify, modified }), null)
  assert.equal(codeOf({ ...modify, modified: { ...modified, execution_constraints: {} } }), null)
  for (const other of [
    1,
    {},
    { ...modified, execution_constraints: 1 },
    { ...modified, step_id: 's' },
  ])
    assert.equal(codeOf({ ...modify, modified: other }), 'DECISION_INVALID')
  assert.equal(codeOf(modify), 'DECISION_INVALID')
  assert.equal(codeOf({ ...DECISION, modified }), 'DECISION_INVALID')
  assert.equal(codeOf({ ...DECISION, retire: true }), 'DECISION_INVALID')
  const modification = `sha256:${'7'.repeat(64)}`
  assert.equal(codeOf({ ...modify, modified, modification }), null)
  assert.equal(codeOf({ ...DECISION, modification }), 'DECISION_INVALID')
  assert.equal(codeOf({ ...DECISION, decision: 'ABORT', retire: true }), null)
  for (const wrong of [{ modified }, { modification }, { retire: true }]) {
    const read = parseDecision({ ...DECISION, ...wrong })
    assert.ok(!read.ok)
    assert.ok(JSON.stringify(read.error).includes(`"${Object.keys(wrong)[0]}`), 'it says which')
  }
})

test('a modification that is only to be judged is read as strictly', () => {
  const modified = { params: { quantity: '1' } }
  assert.deepEqual(parseModification(modified), { ok: true, value: modified })
  for (const other of [null, [], {}, { params: [] }, { ...modified, more: 1 }]) {
    const read = parseModification(other as JsonValue)
    assert.ok(!read.ok, JSON.stringify(other))
  }
})

test('what is signed names the request, the approver and who that is, and not the signature', () => {
  const signature = { key_id: 'approver-1', sig: 'c2ln' }
  const read = parseDecision({ ...DECISION, signature })
  assert.ok(read.ok)
  const body = buildApprovalBody(REQUEST, read.value, 'ann@example.com', 'p_ann')
  const { id: request_id, dfid } = REQUEST
  const who = { approver: 'ann@example.com', person: 'p_ann' }
  assert.deepEqual(body, { ...DECISION, request_id, dfid, ...who })
  const agent = buildApprovalBody(REQUEST, read.value, 'agent:lead', NOBODY)
  assert.equal(Object.hasOwn(agent, 'person'), false)
})

test('an expiry is the word of the runtime, and lifts nothing', () => {
  const { decision, approver, lifts, request_id } = buildExpiryBody(REQUEST)
  assert.deepEqual([decision, approver, lifts, request_id], ['EXPIRED', 'runtime', [], REQUEST.id])
})

test('a refusal says of every member what is wrong with it', () => {
  const tell = (document: JsonValue): unknown => {
    const read = parseDecision(document)
    return read.ok ? null : read.error.details
  }
  const problems = (...all: readonly (readonly [string, string])[]): unknown => ({
    problems: all.map(([member, detail]) => ({ member, detail })),
  })
  assert.deepEqual(tell([]), problems(['', 'is not an object']))
  const { justification: _, ...unjustified } = DECISION
  assert.deepEqual(
    tell({ ...unjustified, force: true, retire: 'yes' }),
    problems(
      ['force', 'is unknown'],
      ['retire', 'has another form'],
      ['justification', 'is missing'],
    ),
  )
  assert.deepEqual(
    tell({ ...DECISION, retire: true }),
    problems(['retire', 'goes with ABORT only']),
  )
  const both = 'goes with MODIFY, and MODIFY with it'
  assert.deepEqual(tell({ ...DECISION, modified }), problems(['modified', both]))
  assert.deepEqual(tell({ ...DECISION, decision: 'MODIFY' }), problems(['modified', both]))
  const modification = `sha256:${'7'.repeat(64)}`
  assert.deepEqual(
    tell({ ...DECISION, modification }),
    problems(['modification', 'goes with MODIFY only']),
  )
  const { valid_until: __, ...endless } = DECISION
  assert.deepEqual(tell(endless), problems(['valid_until', 'is missing']))
  assert.deepEqual(tell({ ...DECISION, decision: 'APPROVE' }), {
    decision: 'APPROVE',
    known: ['OVERRIDE', 'MODIFY', 'ABORT'],
  })
  const read = parseModification([])
  assert.deepEqual(read.ok || read.error.details, problems(['modified', 'has another form']))
})
