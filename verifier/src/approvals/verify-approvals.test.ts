import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Address,
  type ApprovalBody,
  computeAddress,
  computeModificationDigest,
  type Impact,
  type JsonObject,
  type JsonValue,
  type JudgedModification,
} from 'rubicon-kernel'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import { places, verifyTwice } from '../samples/agreement.test-support.ts'
import { eraseFlow } from '../samples/erase-flow.test-support.ts'
import type { LedgerBuilder } from '../samples/ledger-builder.test-support.ts'
import {
  ANN,
  approvalOf,
  approves,
  asks,
  type Case,
  DECIDED,
  digestOf,
  dispatchedIn,
  forwards,
  found,
  LEAD,
  LEAD_FLOW,
  ledger,
  ORDER,
  OTHER,
  PAST,
  RAN,
  READ,
  REQUEST,
  REQUESTED,
  SIGNED,
  shownIn,
  TRACE,
} from '../samples/sample-approvals.test-support.ts'
import { sampleKey } from '../samples/sample-keys.test-support.ts'
import { move, OWNER } from '../samples/sample-ledger.test-support.ts'
import { verifyAny } from '../verify-any.ts'

const { sha256 } = nodeCrypto

test('what was asked, approved and run as approved verifies', async () => {
  assert.deepEqual(await found(), [])
  const own = { approver: ANN.subject }
  assert.deepEqual(await found({ vouched_by: 'approver', body: own }), [])
  assert.deepEqual(await byLead({}), [])
})

/** The agent above decides. */
function byLead(request: JsonObject, body: Partial<ApprovalBody> = {}): Promise<string[]> {
  const lead = { approver: 'agent:lead', person: '', ...body }
  return found({ request: { channel: 'agent:lead', ...request }, vouched_by: 'kernel', body: lead })
}

test('AUTHORITY_ORDER: an agent decides a request that it was not asked about, for people who are named, or what is for people', async () => {
  const high = { impact: 'HIGH_IMPACT', impact_reasons: ['irreversible'] }
  assert.deepEqual(await byLead(high), [], 'nobody said how much is at stake')
  assert.deepEqual(await byLead({ channel: 'operator' }), [ORDER(DECIDED)])
  assert.deepEqual(await byLead({ channel: 'agent:other' }), [ORDER(DECIDED)])
  assert.deepEqual(await byLead({ needs: 2 }), [ORDER(REQUESTED), ORDER(DECIDED)])
  for (const approvers of [['ann@example.com'], ['ann@example.com', 'bob@example.com']])
    assert.deepEqual(await byLead({ approvers }), [ORDER(REQUESTED), ORDER(DECIDED)])
  for (const impact_reasons of [['exposure'], ['irreversible', 'risk_high'], []])
    assert.deepEqual(await byLead({ ...high, impact_reasons }), [ORDER(REQUESTED), ORDER(DECIDED)])
})

test('AUTHORITY_ORDER: an agent decides that is suspended, has ended, or that nobody knows', async () => {
  for (const decision of ['OVERRIDE', 'ABORT'] as const)
    for (const to of ['SUSPENDED', 'RETIRED', null]) {
      const { builder } = ledger({ approval: null, trace: [] })
      const digest = digestOf(dispatchedIn(builder))
      const approver = to === null ? 'agent:nobody' : `agent:${LEAD}`
      builder.entries.splice(REQUESTED)
      if (to !== null) move(builder, 'ACTIVE', to, 'operator', LEAD)
      asks(builder, digest, { channel: approver })
      const releases = decision === 'ABORT' ? null : digest
      const body = { ...approvalOf(digest), approver, person: '', decision }
      approves(builder, body, { vouched_by: 'kernel', releases })
      const last = builder.entries.length - 1
      assert.deepEqual(places(await verifyTwice(builder.text())), [ORDER(last)], String(to))
    }
})

test('AUTHORITY_ORDER: an agent decides for one that it is not above', async () => {
  const by = (lead: string): Promise<string[]> => {
    const body = { approver: `agent:${lead}`, person: '' }
    return found({ lead, request: { channel: `agent:${lead}` }, vouched_by: 'kernel', body })
  }
  assert.deepEqual(await by(LEAD), [])
  assert.deepEqual(await by('stranger'), [ORDER(DECIDED)])
})

test('AUTHORITY_ORDER: an agent decides in whose name no step of it did', async () => {
  const body = { approver: `agent:${LEAD}`, person: '' }
  const asked = { request: { channel: `agent:${LEAD}` }, vouched_by: 'kernel', body } as const
  assert.deepEqual(await found(asked), [])
  assert.deepEqual(await found({ ...asked, leadSays: { decision: 'ABORT' } }), [ORDER(DECIDED)])
  const { builder } = ledger({ ...asked, leadSays: { decision: 'ABORT' } })
  eraseFlow(builder, LEAD_FLOW)
  assert.deepEqual(places(await verifyTwice(builder.text())), [], 'nobody can tell any more')
})

test('AUTHORITY_ORDER: an intent says of its approval what nobody decided', async () => {
  const past = { ...PAST, successes: 9 }
  const stated: readonly NonNullable<Case['approval']>[] = [
    { lifts: ['kind', 'authority'] },
    { lifts: [] },
    { valid_until: '2026-02-01T09:50:00.001Z' },
    { approver: 'eve@example.com' },
    { impact: 'HIGH_IMPACT' },
    { rules_hash: `sha256:${'1'.repeat(64)}` },
    { past },
  ]
  for (const approval of stated)
    assert.deepEqual(await found({ approval }), [ORDER(RAN)], JSON.stringify(approval))
  const sooner = { valid_until: '2026-02-01T09:40:00.000Z' }
  assert.deepEqual(await found({ approval: sooner }), [])
})

test('AUTHORITY_ORDER: what is HIGH_IMPACT was approved before anybody could read it', async () => {
  const impact = 'HIGH_IMPACT'
  const body = { acknowledged_impact: impact } as const
  const not_before = '2026-02-01T09:49:00.000Z'
  assert.deepEqual(await found({ request: { impact, not_before }, body }), [ORDER(DECIDED)])
  assert.deepEqual(await found({ request: { not_before } }), [], 'which LOW_IMPACT does not ask')
})

test('everything that was careless about an approval is said', () => {
  const request = { impact: 'HIGH_IMPACT', not_before: '2026-02-01T09:49:00.000Z' }
  const { findings } = verifyAny(ledger({ request }).builder.text(), nodeCrypto)
  assert.deepEqual(
    findings.map(({ detail }) => detail),
    [
      'it was approved before the time to read it had passed',
      'the approval lacks the acknowledgement of its impact',
    ],
  )
})

test('AUTHORITY_ORDER: it needed an approval, and there is none', async () => {
  assert.deepEqual(await found({ approval: null }), [ORDER(RAN)])
  assert.deepEqual(await found({ approval: null, trace: [] }), [])
})

test('AUTHORITY_ORDER: an approval of another request, of nothing, or of something else', async () => {
  assert.deepEqual(await found({ body: { request_id: 'other' } }), [ORDER(DECIDED), ORDER(RAN)])
  assert.deepEqual(await found({ body: { intent_digest: OTHER } }), [ORDER(DECIDED)])
  assert.deepEqual(await found({ body: { shown_snapshot: 'x' } }), [ORDER(DECIDED)])
  assert.deepEqual(await found({ releases: null }), [ORDER(RAN)])
  assert.deepEqual(await found({ releases: OTHER }), [ORDER(DECIDED), ORDER(RAN)])
  assert.deepEqual(await found({ request: { dfid: 'other' } }), [ORDER(REQUESTED), ORDER(DECIDED)])
  assert.deepEqual(await found({ body: { dfid: 'other' } }), [ORDER(DECIDED)])
})

test('AUTHORITY_ORDER: what an abort or an expiry releases, or an approval after the end', async () => {
  assert.deepEqual(await found({ body: { decision: 'ABORT' } }), [ORDER(DECIDED), ORDER(RAN)])
  const expired = { decision: 'EXPIRED', approver: 'runtime', person: '' } as const
  const late = { expires_at: '2026-02-01T09:00:05.000Z' }
  assert.deepEqual(await found({ request: late }), [ORDER(REQUESTED), ORDER(DECIDED)])
  assert.deepEqual(
    await found({ request: late, body: expired, vouched_by: 'kernel', releases: null }),
    [ORDER(REQUESTED), ORDER(RAN)],
  )
  assert.deepEqual(await found({ body: expired, vouched_by: 'kernel', releases: null }), [
    ORDER(DECIDED),
    ORDER(RAN),
  ])
})

test('AUTHORITY_ORDER: too few have approved, a trigger is left, or the time is over', async () => {
  assert.deepEqual(await found({ request: { needs: 2 } }), [ORDER(DECIDED)])
  const both = [ORDER(DECIDED), ORDER(RAN)]
  assert.deepEqual(await found({ body: { lifts: [] } }), both)
  assert.deepEqual(await found({ body: { valid_until: '2026-02-01T09:00:05.000Z' } }), both)
  assert.deepEqual(await found({ without: 'valid_until' }), both, 'for no time')
  const over = { valid_until: '2026-02-01T09:00:05.000Z' }
  assert.deepEqual(await found({ approval: over }), [ORDER(RAN)])
  assert.deepEqual(await found({ approval: { binds: OTHER } }), [ORDER(RAN)])
})

test('AUTHORITY_ORDER: what is HIGH_IMPACT was approved without the words that it asked for', async () => {
  const impact = 'HIGH_IMPACT'
  const request = { impact, acknowledge: 'BUY' }
  const acknowledged_impact: Impact = impact
  const typed = { acknowledged_impact, acknowledgement: 'BUY' }
  assert.deepEqual(await found({ request, body: typed }), [])
  assert.deepEqual(await found({ request: { impact }, body: { acknowledged_impact } }), [])
  const little = { ...request, impact: 'LOW_IMPACT' }
  assert.deepEqual(await found({ request: little }), [ORDER(REQUESTED)], 'nobody has to type it')
  const wrong: readonly Partial<ApprovalBody>[] = [
    {},
    { acknowledged_impact },
    { ...typed, acknowledgement: 'SELL' },
    { ...typed, acknowledged_impact: 'LOW_IMPACT' },
    { acknowledgement: 'BUY' },
  ]
  for (const body of wrong)
    assert.deepEqual(await found({ request, body }), [ORDER(DECIDED)], JSON.stringify(body))
  assert.deepEqual(await found({ request: { impact }, body: {} }), [ORDER(DECIDED)])
})

test('AUTHORITY_ORDER: an approval is used once, and decided once', async () => {
  const { builder, again } = ledger()
  again()
  assert.deepEqual(places(await verifyTwice(builder.text())), [ORDER(RAN + 1)])
  const twice = ledger()
  const digest = digestOf(dispatchedIn(twice.builder))
  approves(twice.builder, approvalOf(digest), { releases: digest })
  assert.deepEqual(places(await verifyTwice(twice.builder.text())), [ORDER(RAN + 1)])
})

test('AUTHORITY_ORDER: a MODIFY runs what the person wrote, and takes the place of what was asked', async () => {
  const params = { quantity: '1' }
  const written = { params, supersedes: OTHER }
  const modify = (proposal: JsonObject): Promise<string[]> => modified(proposal, params)
  assert.deepEqual(await modify(written), [])
  const both = [ORDER(DECIDED), ORDER(RAN)]
  assert.deepEqual(await modify({ ...written, params: { quantity: '2' } }), both)
  assert.deepEqual(await modify({ params }), both)
  const nothing = { change: { without: 'modified' } } as const
  assert.deepEqual(await modified(written, params, nothing), both, 'nobody wrote it')
})

type Judging = {
  readonly judged?: Partial<JudgedModification>
  readonly body?: Partial<ApprovalBody>
  readonly change?: Case
}

/** What the approval binds to is the address of the proposal itself; it was judged before. */
function modified(
  proposal: JsonObject,
  params: JsonObject,
  { judged = {}, body = {}, change = {} }: Judging = {},
): Promise<string[]> {
  const { trace = TRACE } = change
  const probe = ledger({ proposal, trace, approval: null })
  const payload = probe.builder.entries.at(-1)?.payload ?? '{}'
  const { proposal: document } = JSON.parse(payload) as { readonly proposal: JsonObject }
  const releases = computeAddress('proposal', document, sha256)
  const modification: JudgedModification = {
    request_id: REQUEST,
    judged_for: 'p_ann',
    proposal_hash: releases,
    impact: 'LOW_IMPACT',
    impact_reasons: [],
    exposure: null,
    not_before: READ,
    ...judged,
  }
  const digest = computeModificationDigest(modification, sha256)
  const said = { decision: 'MODIFY', modified: { params }, modification: digest, ...body } as const
  return found({ proposal, body: said, releases, modification, ...change })
}

test('AUTHORITY_ORDER: a MODIFY that was not judged, for somebody else, or as something else', async () => {
  const params = { quantity: '1' }
  const proposal = { params, supersedes: OTHER }
  const judged = (one: Partial<JudgedModification>, more: Judging = {}): Promise<string[]> =>
    modified(proposal, params, { judged: one, ...more })
  assert.deepEqual(await judged({}), [])
  assert.deepEqual(await judged({ judged_for: 'p_bob' }), [ORDER(DECIDED)])
  assert.deepEqual(await judged({ request_id: 'other' }), [ORDER(DECIDED)])
  assert.deepEqual(await judged({ proposal_hash: OTHER }), [ORDER(DECIDED)])
  assert.deepEqual(await judged({}, { body: { modification: OTHER } }), [ORDER(DECIDED)])
  const body = { decision: 'MODIFY', modified: { params }, modification: OTHER } as const
  assert.deepEqual(await found({ body }), [ORDER(DECIDED), ORDER(RAN)])
})

test('AUTHORITY_ORDER: a MODIFY owes the care that what it lets run asks for', async () => {
  const params = { quantity: '1' }
  const proposal = { params, supersedes: OTHER }
  const acknowledge = 'BUY'
  const high = { impact: 'HIGH_IMPACT', impact_reasons: ['exposure'], acknowledge } as const
  const typed = { acknowledged_impact: 'HIGH_IMPACT', acknowledgement: acknowledge } as const
  const judged = (one: Partial<JudgedModification>, more: Judging = {}): Promise<string[]> =>
    modified(proposal, params, { judged: { ...high, ...one }, ...more })
  assert.deepEqual(await judged({}, { body: typed }), [])
  assert.deepEqual(await judged({}), [ORDER(DECIDED)])
  const not_before = '2026-02-01T09:49:00.000Z'
  assert.deepEqual(await judged({ not_before }, { body: typed }), [ORDER(DECIDED)])
  const lead = { judged_for: 'agent:lead' }
  const own = { approver: 'agent:lead', person: '' }
  const change = { request: { channel: 'agent:lead' }, vouched_by: 'kernel' } as const
  assert.deepEqual(await judged({ ...lead }, { body: own, change }), [ORDER(DECIDED)])
  const { acknowledge: _, ...rest } = high
  const little = { ...rest, impact: 'LOW_IMPACT', impact_reasons: [], ...lead } as const
  assert.deepEqual(await modified(proposal, params, { judged: little, body: own, change }), [])
})

test('AUTHORITY_ORDER: what was judged as little ran as much', async () => {
  const ran = (usd: JsonValue, past: JsonObject = {}, threshold = '100'): Promise<string[]> => {
    const exposure = { measure: 'usd', value: '1', threshold }
    const measured = { stage: 'preconditions', said: 'pass', read: [], measures: { usd } }
    const trace = [measured, ...(TRACE as readonly JsonValue[])]
    return found({ trace, request: { exposure, past: { ...PAST, ...past } } })
  }
  for (const usd of ['100', 100, '-100', '99.99']) assert.deepEqual(await ran(usd), [])
  for (const usd of ['100.01', 101, '-100.01', 'much', null])
    assert.deepEqual(await ran(usd), [ORDER(RAN)], String(usd))
  assert.deepEqual(await ran('1', {}, 'some'), [ORDER(REQUESTED), ORDER(RAN)])
  const before = { successes: 3, of_kind: 2, largest: '5' }
  assert.deepEqual(await ran('50', before), [])
  assert.deepEqual(await ran('50.1', before), [ORDER(RAN)])
  assert.deepEqual(await ran('50.1', { ...before, of_kind: 0 }), [])
})

test('ENTRY_SIGNATURE: nobody else signs for an approver, and the runtime only what is its own', async () => {
  const forged = { signer: () => sampleKey('approver', 'mallory'), vouched_by: 'approver' } as const
  const unsigned = await found({ ...forged, body: { approver: ANN.subject } })
  assert.deepEqual(unsigned, [ORDER(DECIDED), SIGNED(DECIDED)])
  const bobs = { person: 'p_bob' }
  assert.deepEqual(await found({ vouched_by: 'approver', body: bobs }), [ORDER(DECIDED)], 'bob')
  const both = [ORDER(DECIDED), SIGNED(DECIDED)]
  assert.deepEqual(await found({ body: { person: '' } }), both, 'nobody')
  const called = { approver: 'agent:lead' }
  assert.deepEqual(await found({ body: called }), both, 'a person is no agent')
  assert.deepEqual(await found({ vouched_by: 'kernel' }), [SIGNED(DECIDED)])
  const body = { approver: 'agent:lead', person: '' }
  const request = { channel: 'agent:lead' }
  assert.deepEqual(await found({ request, vouched_by: 'operator', body }), [SIGNED(DECIDED)])
  const wrong = { signer: ({ issuer }: LedgerBuilder) => issuer }
  assert.deepEqual(await found(wrong), [SIGNED(DECIDED)])
})

test('AUTHORITY_ORDER: a request of the same name asks for something else', async () => {
  const { builder } = ledger()
  asks(builder, OTHER)
  assert.deepEqual(places(await verifyTwice(builder.text())), [ORDER(RAN + 1)])
})

test('AUTHORITY_ORDER: put before somebody else, a request asks for the same, and no sooner', async () => {
  const again = async (change: JsonObject): Promise<string[]> => {
    const { builder } = ledger()
    forwards(builder, change)
    return places(await verifyTwice(builder.text()))
  }
  const later = '2026-02-01T09:10:00.000Z'
  assert.deepEqual(await again({ not_before: later }), [])
  assert.deepEqual(await again({ channel: 'desk', not_before: later }), [ORDER(RAN + 1)])
  assert.deepEqual(await again({ not_before: '2026-02-01T08:59:59.000Z' }), [ORDER(RAN + 1)])
  for (const change of [{ needs: 2 }, { approvers: ['ann'] }, { impact: 'HIGH_IMPACT' }])
    assert.deepEqual(await again(change), [ORDER(RAN + 1)])
})

test('a request or a decision that is missing approves nothing; the trace is read as anybody could have written it', async () => {
  for (const leaf of [REQUESTED, DECIDED]) {
    const { builder } = ledger()
    builder.entries = builder.entries.map((entry, i) =>
      i === leaf ? { ...entry, payload: null } : entry,
    )
    const report = places(await verifyTwice(builder.text()))
    assert.ok(report.includes(`${leaf} ERASURE_UNSIGNED`), report.join())
    assert.ok(report.includes(ORDER(RAN)), report.join())
  }
  const odd: JsonValue = [7, { triggers: 3 }, { triggers: [1] }]
  assert.deepEqual(await found({ approval: null, trace: odd }), [ORDER(RAN)])
})

test('AUTHORITY_ORDER: who decides is a person who is registered, and whom the contract names', async () => {
  assert.deepEqual(await found({ body: { person: 'p_nobody' } }), [ORDER(DECIDED)])
  const listed = { approvers: ['ann'], persons: { owner: OWNER, approvers: ['p_bob'] } }
  assert.deepEqual(await found({ request: listed }), [ORDER(REQUESTED), ORDER(DECIDED)])
})

test('AUTHORITY_ORDER: the owner of an agent approves HIGH_IMPACT for it', async () => {
  const request = { impact: 'HIGH_IMPACT' }
  const acknowledged_impact: Impact = 'HIGH_IMPACT'
  const body = { acknowledged_impact, person: OWNER }
  assert.deepEqual(await found({ request, body }), [ORDER(DECIDED)])
  assert.deepEqual(await found({ body: { person: OWNER } }), [], 'LOW_IMPACT is theirs to approve')
})

test('AUTHORITY_ORDER: two ids that were merged before are one person, and one approval', async () => {
  const twice = (merges: boolean): Promise<string[]> => {
    const first = { person: 'p_ann2', approver: 'ann.lee' }
    const { builder } = ledger({
      request: { needs: 2 },
      body: first,
      releases: null,
      approval: null,
      trace: [],
    })
    if (merges) builder.decree('person', { action: 'merge', person_id: 'p_ann2', into: 'p_ann' })
    const digest = digestOf(dispatchedIn(builder))
    approves(builder, approvalOf(digest), { releases: digest })
    return verifyTwice(builder.text()).then(places)
  }
  assert.deepEqual(await twice(false), [])
  assert.deepEqual(await twice(true), [ORDER(RAN + 2)])
})

test('AUTHORITY_ORDER: one login is one approval, whoever it was linked to', async () => {
  const { builder } = ledger({
    request: { needs: 2 },
    body: { person: 'p_bob', approver: ' ANN@example.com' },
    releases: null,
    approval: null,
    trace: [],
  })
  const digest = digestOf(dispatchedIn(builder))
  approves(builder, approvalOf(digest), { releases: digest })
  assert.deepEqual(places(await verifyTwice(builder.text())), [ORDER(RAN + 1)])
})

test('AUTHORITY_ORDER: an identity belongs to one person, and what is not there is neither linked nor merged', async () => {
  const bodies: readonly JsonObject[] = [
    { action: 'register', person_id: 'p_ann', identities: [] },
    { action: 'register', person_id: 'ann', identities: [] },
    { action: 'register', person_id: 'p_new', identities: [{ commitment: OTHER }] },
    { action: 'link', person_id: 'p_bob', identity: { key_id: ANN.id } },
    { action: 'link', person_id: 'p_nobody', identity: { key_id: 'k' } },
    { action: 'unlink', person_id: 'p_bob', identity: { commitment: OTHER } },
    { action: 'merge', person_id: 'p_bob', into: 'p_bob' },
    { action: 'merge', person_id: 'p_bob', into: 'p_nobody' },
  ]
  for (const body of bodies) {
    const { builder } = ledger()
    builder.decree('person', body)
    const expected = [ORDER(RAN + 1)]
    assert.deepEqual(places(await verifyTwice(builder.text())), expected, JSON.stringify(body))
  }
  const { builder } = ledger()
  const unlink = { action: 'unlink', person_id: 'p_ann2', identity: { commitment: OTHER } }
  builder.decree('person', unlink)
  builder.decree('person', { ...unlink, action: 'link', person_id: 'p_bob' })
  assert.deepEqual(places(await verifyTwice(builder.text())), [])
})

test('AUTHORITY_ORDER: approvals of something else, or judged at another impact, are not as many', async () => {
  const both = async (change: Agreeing): Promise<string[]> => {
    const { builder } = ledger({
      request: { needs: 2 },
      ...said('ann@example.com', 'p_ann', {}),
      releases: null,
      approval: null,
      trace: [],
    })
    const { body, modification } = said('bob@example.com', 'p_bob', change)
    const digest = digestOf(dispatchedIn(builder))
    const releases = modification.proposal_hash
    approves(builder, { ...approvalOf(digest), ...body }, { releases, modification })
    return places(await verifyTwice(builder.text()))
  }
  assert.deepEqual(await both({}), [])
  assert.deepEqual(await both({ impact: 'HIGH_IMPACT' }), [ORDER(RAN + 1)])
  assert.deepEqual(await both({ params: { quantity: '2' } }), [ORDER(RAN + 1)])
  assert.deepEqual(await both({ lifts: [] }), [ORDER(RAN + 1)])
})

type Agreeing = {
  readonly impact?: Impact
  readonly params?: JsonObject
  readonly lifts?: readonly string[]
}

/** What was asked, in the words of whoever modified it. */
function writtenAs(params: JsonObject): Address {
  const asked = shownIn(ledger().builder)
  const supersedes = computeAddress('proposal', asked, sha256)
  return computeAddress('proposal', { ...asked, params, supersedes }, sha256)
}

/** A MODIFY of somebody, with all the care that it asks for, of the same proposal. */
function said(
  approver: string,
  person: string,
  { impact = 'LOW_IMPACT', params = { quantity: '1' }, lifts = ['kind'] }: Agreeing,
): { readonly body: Partial<ApprovalBody>; readonly modification: JudgedModification } {
  const modification: JudgedModification = {
    request_id: REQUEST,
    judged_for: person,
    proposal_hash: writtenAs(params),
    impact,
    impact_reasons: impact === 'LOW_IMPACT' ? [] : ['exposure'],
    exposure: null,
    ...(impact === 'LOW_IMPACT' ? {} : { acknowledge: 'BUY' }),
    not_before: READ,
  }
  const body = {
    decision: 'MODIFY',
    approver,
    person,
    modified: { params },
    modification: computeModificationDigest(modification, sha256),
    lifts,
    acknowledged_impact: impact,
    ...(impact === 'LOW_IMPACT' ? {} : { acknowledgement: 'BUY' }),
  } as const
  return { body, modification }
}
