import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../canonical/json-value.ts'
import type { Refusal } from '../compile/verdict.ts'
import { LIMITS } from '../limits.ts'
import { NOBODY } from '../person/person.ts'
import { DECISION, type DecisionPatch, FACTS, judged, REQUEST } from './case.test-support.ts'
import type { EscalationDecision } from './decision.ts'
import { isSelfApproval, judgeDecision, resolveDecisionPersons } from './judge-decision.ts'
import type { JudgedModification } from './modification.ts'
import type { EscalationRequest } from './request.ts'

function codeOf(patch: DecisionPatch): string | null {
  return judged(patch)?.code ?? null
}

const modified = { params: { quantity: '1' } }
const DIGEST = `sha256:${'7'.repeat(64)}`
const MODIFY: JsonObject = { decision: 'MODIFY', modified, lifts: [], modification: DIGEST }
const JUDGED: JsonObject = {
  request_id: REQUEST.id,
  judged_for: 'p_ann',
  proposal_hash: `sha256:${'8'.repeat(64)}`,
  impact: 'LOW_IMPACT',
  impact_reasons: [],
  exposure: null,
  not_before: '2026-03-02T10:00:00.000Z',
}
const judgedAs = (change: JsonObject = {}): JsonObject => ({
  modification: { digest: DIGEST, judged: { ...JUDGED, ...change } },
})
const ABORT: JsonObject = {
  decision: 'ABORT',
  lifts: [],
  valid_until: null,
  acknowledged_impact: null,
}

test('each of the three words counts when everything fits', () => {
  assert.equal(codeOf({}), null)
  assert.equal(codeOf({ decision: MODIFY, facts: judgedAs() }), null)
  assert.equal(codeOf({ decision: ABORT }), null)
})

test('J1 other bytes and other facts count for nothing, whatever the word', () => {
  const other = `sha256:${'0'.repeat(64)}`
  for (const word of [{}, MODIFY, ABORT]) {
    const digest = { ...word, intent_digest: other }
    assert.equal(codeOf({ decision: digest }), 'APPROVAL_DIGEST_MISMATCH')
    const snapshot = { ...word, shown_snapshot: other }
    assert.equal(codeOf({ decision: snapshot }), 'APPROVAL_SNAPSHOT_MISMATCH')
  }
})

test('a request waits until it is decided, and until it expires', () => {
  assert.equal(codeOf({ facts: { open: false } }), 'ESCALATION_DECIDED')
  assert.equal(codeOf({ facts: { now: '2026-03-02T10:59:59.999Z' }, decision: ABORT }), null)
  for (const now of ['2026-03-02T11:00:00.000Z', 'some day'])
    assert.equal(codeOf({ facts: { now }, decision: ABORT }), 'ESCALATION_EXPIRED')
})

test('a person must be known, and where the contract has a list, on it', () => {
  const by = { kind: 'person', principal: 'ann@example.com' }
  assert.equal(codeOf({ facts: { by: { ...by, registered: false } } }), 'APPROVER_UNKNOWN')
  const request = { approvers: ['somebody@example.com'] }
  assert.equal(codeOf({ request, facts: { approvers: ['p_bob', 'p_ann'] } }), null)
  assert.equal(codeOf({ request, facts: { approvers: ['p_bob'] } }), 'APPROVER_UNKNOWN')
  const called = { approvers: ['ann@example.com'] }
  const nobody = { approvers: [NOBODY] }
  assert.equal(codeOf({ request: called, facts: nobody }), 'APPROVER_UNKNOWN', 'a name is nobody')
})

test('PERSON_UNKNOWN: a login that nobody linked to a person decides nothing, whatever the word', () => {
  for (const decision of [{}, MODIFY, ABORT])
    assert.equal(codeOf({ facts: { by: STRANGER }, decision }), 'PERSON_UNKNOWN')
})

const STRANGER = { kind: 'person', principal: 'oidc:7', person: NOBODY, registered: true } as const

test('persons are compared as they count now: merged ids are one, unregistered ones nobody', () => {
  const ids = new Map([
    ['p_ann', 'p_ann'],
    ['p_a2', 'p_ann'],
  ])
  const named = { owner: 'p_a2', approvers: ['p_ann', 'p_gone'], deployer: 'p_olga' }
  const said = {
    decision: 'OVERRIDE',
    lifts: [],
    valid_until: '',
    impact: 'LOW_IMPACT',
  } as const
  const counted = [
    { approver: 'a2', person: 'p_a2', ...said },
    { approver: 'agent:x', ...said },
  ]
  const now = resolveDecisionPersons({ ids, linked: new Map() }, named, counted)
  assert.deepEqual(now.answering, ['p_ann', NOBODY])
  assert.deepEqual(now.approvers, ['p_ann', NOBODY])
  assert.deepEqual(
    now.counted.map(({ person }) => person),
    ['p_ann', undefined],
  )
})

test('J2 an OVERRIDE lifts every trigger of its request, and none that is not there', () => {
  assert.equal(codeOf({ decision: { lifts: ['limit:alone'] } }), 'LIFTS_INCOMPLETE')
  const more = ['limit:alone', 'confidence', 'signature']
  assert.equal(codeOf({ decision: { lifts: more } }), 'LIFT_UNKNOWN')
  const modify = { ...MODIFY, lifts: ['signature'] }
  assert.equal(codeOf({ decision: modify, facts: judgedAs() }), 'LIFT_UNKNOWN')
})

test('an approval begins now and ends within a day', () => {
  const until = (valid_until: string): string | null => codeOf({ decision: { valid_until } })
  assert.equal(until('2026-03-02T10:01:00.000Z'), 'APPROVAL_WINDOW')
  assert.equal(until('2026-03-02T10:01:00.001Z'), null)
  assert.equal(LIMITS.deadlineHorizonMs, 86_400_000)
  assert.equal(until('2026-03-03T10:01:00.000Z'), null)
  assert.equal(until('2026-03-03T10:01:00.001Z'), 'APPROVAL_WINDOW')
})

test('J3 HIGH_IMPACT is not approved by the owner or the deployer, in haste, or without a word', () => {
  const owner = { by: { kind: 'person', principal: 'jane', person: 'p_jane', registered: true } }
  assert.equal(codeOf({ facts: owner }), 'SELF_APPROVAL')
  for (const answering of [[NOBODY], ['p_jane', NOBODY]])
    assert.equal(codeOf({ facts: { answering } }), 'SELF_APPROVAL', 'it may be anybody')
  const deployer = { by: { kind: 'person', principal: 'olga', person: 'p_olga', registered: true } }
  assert.equal(codeOf({ facts: deployer }), 'SELF_APPROVAL')
  assert.equal(codeOf({ facts: owner, decision: ABORT }), null)
  const low = { impact: 'LOW_IMPACT' }
  assert.equal(codeOf({ facts: owner, request: low }), null)
  const early = { now: '2026-03-02T10:00:09.999Z' }
  assert.equal(codeOf({ facts: early }), 'DECISION_TOO_FAST')
  assert.equal(codeOf({ facts: early, request: low }), null)
  assert.equal(codeOf({ facts: { now: '2026-03-02T10:00:10.000Z' } }), null)
  assert.equal(codeOf({ request: { not_before: 'some day' } }), 'DECISION_TOO_FAST')
  for (const acknowledged_impact of [null, 'LOW_IMPACT'])
    assert.equal(codeOf({ decision: { acknowledged_impact } }), 'IMPACT_UNACKNOWLEDGED')
})

test('J3 where the contract allows self approval, everything else is still asked of the owner', () => {
  const owner = { by: { kind: 'person', principal: 'jane', person: 'p_jane', registered: true } }
  const request = { self_approval: 'allowed' }
  assert.equal(codeOf({ request, facts: owner }), null)
  assert.equal(codeOf({ request, facts: { answering: [NOBODY] } }), null)
  const early = { now: '2026-03-02T10:00:09.999Z', ...owner }
  assert.equal(codeOf({ request, facts: early }), 'DECISION_TOO_FAST')
  const silent = { acknowledged_impact: null }
  assert.equal(codeOf({ request, facts: owner, decision: silent }), 'IMPACT_UNACKNOWLEDGED')
  const stranger = { by: { ...owner.by, registered: false } }
  assert.equal(codeOf({ request, facts: stranger }), 'APPROVER_UNKNOWN')
  for (const said of ['refused', 'yes', null])
    assert.equal(codeOf({ request: { self_approval: said }, facts: owner }), 'SELF_APPROVAL')
})

test('J3 one approves for an agent of one’s own exactly where a person lets something of high impact run', () => {
  const by = { kind: 'person', principal: 'jane', person: 'p_jane', registered: true } as const
  const agent = { kind: 'agent', agent_id: 'lead', refusal: null } as const
  const decide = (change: object = {}): EscalationDecision =>
    ({ ...DECISION, ...change }) as unknown as EscalationDecision
  const facts = { ...FACTS, by }
  assert.equal(isSelfApproval(REQUEST, decide(), facts), true)
  assert.equal(isSelfApproval(REQUEST, decide(), FACTS), false, 'somebody else')
  assert.equal(isSelfApproval(REQUEST, decide({ decision: 'ABORT' }), facts), false)
  const anybody = { ...FACTS, answering: [NOBODY] }
  assert.equal(isSelfApproval(REQUEST, decide(), anybody), true)
  assert.equal(isSelfApproval(REQUEST, decide(), { ...anybody, by: agent }), false)
  const low: EscalationRequest = { ...REQUEST, impact: 'LOW_IMPACT' }
  assert.equal(isSelfApproval(low, decide(), facts), false)
  const judgedLow = { digest: DIGEST, judged: JUDGED as unknown as JudgedModification }
  const modify = decide({ decision: 'MODIFY' })
  assert.equal(isSelfApproval(REQUEST, modify, { ...facts, modification: judgedLow }), false)
  assert.equal(isSelfApproval(REQUEST, modify, facts), true)
})

test('J3 a refusal says whom it is about', () => {
  const owner = { by: { kind: 'person', principal: 'jane', person: 'p_jane', registered: true } }
  assert.deepEqual(judged({ facts: owner })?.details, { answering: ['p_jane', 'p_olga'] })
  assert.deepEqual(judged({ decision: MODIFY })?.details, { approver: 'ann@example.com' })
})

test('J3 what the request asks to be typed is typed, word for word', () => {
  const request = { acknowledge: 'BTC-USD 2' }
  assert.equal(codeOf({ request, decision: { acknowledgement: 'BTC-USD 2' } }), null)
  for (const acknowledgement of [null, '', 'btc-usd 2', 'BTC-USD 2 '])
    assert.deepEqual(judged({ request, decision: { acknowledgement } }), {
      code: 'IMPACT_UNACKNOWLEDGED',
      details: { impact: 'HIGH_IMPACT', acknowledge: 'BTC-USD 2' },
    })
  const low = { ...request, impact: 'LOW_IMPACT' }
  assert.equal(codeOf({ request: low }), null, 'only HIGH_IMPACT is typed out')
  assert.equal(codeOf({ request, decision: ABORT }), null)
})

test('J3 a MODIFY was judged before, for whoever decides, and is named', () => {
  assert.equal(codeOf({ decision: MODIFY }), 'MODIFICATION_UNJUDGED')
  const other = { ...MODIFY, modification: `sha256:${'6'.repeat(64)}` }
  assert.equal(codeOf({ decision: other, facts: judgedAs() }), 'MODIFICATION_UNJUDGED')
  const unnamed = { ...MODIFY, modification: null }
  assert.equal(codeOf({ decision: unnamed, facts: judgedAs() }), 'MODIFICATION_UNJUDGED')
})

test('J3 a MODIFY asks for the care that what will run asks for, and for no other', () => {
  const owner = { by: { kind: 'person', principal: 'jane', person: 'p_jane', registered: true } }
  const not_before = '2026-03-02T10:01:00.001Z'
  const high = { impact: 'HIGH_IMPACT', impact_reasons: ['exposure'], acknowledge: 'BTC-USD 9' }
  const low = { impact: 'LOW_IMPACT', acknowledge: null }
  const typed = { ...MODIFY, acknowledgement: 'BTC-USD 9' }
  const modify = (judged: JsonObject, facts: JsonObject = {}, decision = typed): string | null =>
    codeOf({ request: low, decision, facts: { ...facts, ...judgedAs(judged) } })
  assert.equal(modify(high), null)
  assert.equal(modify(high, owner), 'SELF_APPROVAL')
  assert.equal(modify({ ...high, not_before }), 'DECISION_TOO_FAST')
  assert.equal(modify(high, {}, { ...MODIFY, acknowledgement: 'yes' }), 'IMPACT_UNACKNOWLEDGED')
  const early = { now: '2026-03-02T10:00:09.999Z', ...owner }
  assert.equal(codeOf({ decision: MODIFY, facts: { ...early, ...judgedAs() } }), null)
})

test('approvals add up where different people say the same', () => {
  const bob = {
    approver: 'bob@example.com',
    person: 'p_bob',
    decision: 'OVERRIDE',
    valid_until: '',
    impact: 'HIGH_IMPACT',
  }
  const same = { ...bob, lifts: ['confidence', 'limit:alone'] }
  assert.equal(codeOf({ facts: { counted: [same] } }), null)
  const ann = { ...same, approver: 'another name', person: 'p_ann' }
  assert.equal(codeOf({ facts: { counted: [ann] } }), 'APPROVER_REPEATED')
  const relinked = { ...same, approver: 'Ann@example.com' }
  assert.equal(codeOf({ facts: { counted: [relinked] } }), 'APPROVER_REPEATED', 'one login')
  const changed = { ...bob, decision: 'MODIFY', modified, lifts: [], impact: 'LOW_IMPACT' }
  assert.equal(codeOf({ facts: { counted: [changed] } }), 'APPROVAL_DIVERGES')
  const modify = (counted: JsonObject): string | null =>
    codeOf({ facts: { counted: [counted], ...judgedAs() }, decision: MODIFY })
  assert.equal(modify(changed), null)
  assert.equal(modify({ ...changed, impact: 'HIGH_IMPACT' }), 'APPROVAL_DIVERGES', 'judged as more')
  const further = { ...changed, modified: { params: { quantity: '2' } } }
  assert.equal(modify(further), 'APPROVAL_DIVERGES')
  const lifting = (first: readonly string[], second: readonly string[]): string | null =>
    codeOf({
      facts: { counted: [{ ...changed, lifts: first }], ...judgedAs() },
      decision: { ...MODIFY, lifts: second },
    })
  const both = ['limit:alone', 'confidence']
  assert.equal(lifting(both, both.toReversed()), null, 'in whichever order')
  assert.equal(lifting(both, ['confidence']), 'APPROVAL_DIVERGES')
  assert.equal(lifting([], ['confidence']), 'APPROVAL_DIVERGES')
})

const PARENT_ASKED: JsonObject = {
  channel: 'agent:lead',
  impact: 'LOW_IMPACT',
  impact_reasons: [],
}
const LEAD = { kind: 'agent', agent_id: 'lead' } as const

test('J4 an agent that may decide what nobody rated reads it at once', () => {
  const request: EscalationRequest = {
    ...REQUEST,
    channel: 'agent:lead',
    impact_reasons: ['irreversible'],
  }
  const { acknowledged_impact: _, ...rest } = DECISION
  const decision = rest as unknown as EscalationDecision
  const facts = { ...FACTS, now: '2026-03-02T10:00:00.001Z' }
  const lead = { ...LEAD, refusal: null }
  assert.equal(judgeDecision(request, decision, { ...facts, by: lead }), null)
  assert.equal(judgeDecision(request, decision, facts)?.code, 'DECISION_TOO_FAST')
})

test('J4 a parent decides what it was asked, and retires nobody', () => {
  assert.equal(codeOf({ facts: { by: LEAD } }), 'PARENT_NOT_ASKED')
  const retire = { ...ABORT, retire: true }
  const facts = { by: LEAD }
  assert.equal(codeOf({ request: PARENT_ASKED, facts, decision: retire }), 'DECISION_INVALID')
  assert.equal(codeOf({ request: PARENT_ASKED, facts, decision: ABORT }), null)
})

test('J4 a parent approves what its own law admits, and hears why where it does not', () => {
  const request = { ...REQUEST, channel: 'agent:lead', impact_reasons: ['irreversible'] }
  const decision = DECISION as unknown as EscalationDecision
  const judge = (refusal: Refusal | null): Refusal | null =>
    judgeDecision(request, decision, { ...FACTS, by: { ...LEAD, refusal } })
  assert.equal(judge(null), null, 'neither dwell nor words are for agents')
  const { acknowledged_impact: _, ...unsaid } = DECISION
  const facts = { ...FACTS, by: { ...LEAD, refusal: null } }
  assert.equal(judgeDecision(request, unsaid as unknown as EscalationDecision, facts), null)
  const refusal = { code: 'LIMIT_EXCEEDED', details: { max: '1' } } as const
  assert.deepEqual(judge(refusal), { code: 'PARENT_NOT_ADMITTED', details: refusal })
})

test('J4 no parent approves what people are named for, or what has a high impact for a known reason', () => {
  const facts = { ...FACTS, by: { ...LEAD, refusal: null } }
  const asked = (change: Partial<EscalationRequest>): string | null => {
    const request = { ...REQUEST, channel: 'agent:lead', impact_reasons: [], ...change }
    return judgeDecision(request, DECISION as unknown as EscalationDecision, facts)?.code ?? null
  }
  assert.equal(asked({}), null)
  assert.equal(asked({ needs: 2 }), 'PARENT_NOT_ASKED')
  assert.equal(asked({ approvers: ['ann@example.com'] }), 'PARENT_NOT_ASKED')
  for (const reason of ['exposure', 'risk_high', 'unusual'])
    assert.equal(asked({ impact_reasons: [reason] }), 'PARENT_NOT_ASKED')
})

test('J4 no parent makes much of what it was asked', () => {
  const facts = { ...FACTS, by: { ...LEAD, refusal: null } }
  const request = { ...REQUEST, channel: 'agent:lead', impact_reasons: [] }
  const decision = { ...DECISION, ...MODIFY } as unknown as EscalationDecision
  const modify = (change: JsonObject): Refusal | null => {
    const judged = { ...JUDGED, ...change } as unknown as JudgedModification
    return judgeDecision(request, decision, { ...facts, modification: { digest: DIGEST, judged } })
  }
  assert.equal(modify({}), null)
  assert.equal(modify({ impact: 'HIGH_IMPACT', impact_reasons: ['irreversible'] }), null)
  const impact_reasons = ['exposure']
  assert.deepEqual(modify({ impact: 'HIGH_IMPACT', impact_reasons }), {
    code: 'PARENT_NOT_ADMITTED',
    details: { impact: 'HIGH_IMPACT', impact_reasons },
  })
})

test('what was made of a modification says nothing of a decision that takes the request as it is', () => {
  const decision = { acknowledged_impact: null }
  assert.equal(codeOf({ decision, facts: judgedAs() }), 'IMPACT_UNACKNOWLEDGED')
})

test('an approval that says no end has none', () => {
  const { valid_until: _, ...endless } = DECISION
  const decision = endless as unknown as EscalationDecision
  assert.equal(judgeDecision(REQUEST, decision, FACTS)?.code, 'APPROVAL_WINDOW')
})

test('there is nothing to modify where there is no proposal', () => {
  assert.equal(
    codeOf({ request: { kind: 'silence' }, decision: MODIFY }),
    'MODIFICATION_IMPOSSIBLE',
  )
  assert.equal(codeOf({ request: { kind: 'silence' } }), null)
})

test('a decision without a reason is none', () => {
  assert.equal(codeOf({ decision: { justification: ' \n' } }), 'DECISION_UNJUSTIFIED')
})

test('an agent that modifies without a judgement is named as it is', () => {
  const by = { kind: 'agent', agent_id: 'lead', person: null, principal: null, registered: null }
  const request = { channel: 'agent:lead' }
  const found = judged({ request, decision: MODIFY, facts: { by } })
  assert.deepEqual([found?.code, found?.details.approver], ['MODIFICATION_UNJUDGED', 'lead'])
})
