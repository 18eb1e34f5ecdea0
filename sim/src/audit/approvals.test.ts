import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Contract } from 'rubicon-kernel'
import { AuditedApprovals } from './approvals.ts'
import { computeAddress, toCanonicalJson } from './bytes.ts'
import type { Line } from './report.ts'

const SHOWN = { params: { amount: '9' } }
const INTENT = {
  dfid: 'a',
  step_id: 's',
  policy_kind: 'PAY',
  params: SHOWN.params,
  resources: [],
  constraints: {},
  proposal_hash: 'p',
  contract_hash: 'c',
  capability_hash: 'h',
  rules_hash: 'r',
  snapshot_id: 'seen',
}
const DIGEST = computeAddress('intent-digest', toCanonicalJson(INTENT))
const TRIGGERS = [{ triggers: [{ id: 'limit:alone' }] }]

const REQUEST = {
  id: 'a:1',
  kind: 'proposal',
  agent_id: 'bot',
  intent_digest: DIGEST,
  shown_snapshot: 'seen',
  impact: 'HIGH_IMPACT',
  impact_reasons: ['exposure'],
  exposure: null,
  past: null,
  needs: 1,
  approvers: [],
  channel: 'operator',
  requested_at: '2026-06-01T12:00:00.000Z',
  not_before: '2026-06-01T12:00:10.000Z',
  expires_at: '2026-06-01T13:00:00.000Z',
}
const BODY = {
  request_id: 'a:1',
  decision: 'OVERRIDE',
  approver: 'ann@example.com',
  person: 'p_ann',
  intent_digest: DIGEST,
  shown_snapshot: 'seen',
  lifts: ['limit:alone'],
  acknowledged_impact: 'HIGH_IMPACT',
  valid_until: '2026-06-01T12:10:00.000Z',
}
const CONTRACT = { owner: 'Jane.Doe@example.com', safety_rules: {} } as Contract
const ASKED_AT = '2026-06-01T12:00:00.000Z'
const DECIDED_AT = '2026-06-01T12:01:00.000Z'
const RAN_AT = '2026-06-01T12:02:00.000Z'

type Ledger = {
  readonly found: string[]
  ask(change?: object): Ledger
  decide(change?: object, at?: string, releases?: string | null, judged?: object): Ledger
  run(change?: object, at?: string): Ledger
}

function ledger(contract = CONTRACT): Ledger {
  const found: string[] = []
  const report = (invariant: string): void => void found.push(invariant)
  const approvals = new AuditedApprovals(report, () => contract)
  const line = (at: string, payload: object = {}): Line =>
    ({ trajectory: 'main', seq: 1, at, payload }) as Line
  const it: Ledger = {
    found,
    ask(change = {}) {
      approvals.auditRequest(
        line(ASKED_AT, { request: { ...REQUEST, ...change }, proposal: SHOWN }),
      )
      return it
    },
    decide(change = {}, at = DECIDED_AT, releases = DIGEST, modification = undefined) {
      approvals.auditDecision(line(at, { body: { ...BODY, ...change }, releases, modification }))
      return it
    },
    run(change = {}, at = RAN_AT) {
      const approval = { request_id: 'a:1' }
      const ran = { intent: { ...INTENT, approval }, trace: TRIGGERS, proposal: SHOWN, ...change }
      approvals.auditRun(line(at), ran as unknown as Parameters<AuditedApprovals['auditRun']>[1])
      return it
    },
  }
  return it
}

function finds(it: Ledger): void {
  assert.ok(it.found.length > 0 && it.found.every((one) => one === 'I1' || one === 'I19'))
}

test('what was asked, approved and run once, as it was shown, has no finding', () => {
  assert.deepEqual(ledger().ask().decide().run().found, [])
})

test('what asked for somebody, and nobody approved, is found', () => {
  finds(ledger().run({ intent: INTENT }))
  finds(ledger().run())
  finds(ledger().ask().run())
  finds(ledger().ask().decide({ decision: 'ABORT' }, DECIDED_AT, null).run())
})

test('an approval that is used twice, also after a refusal, is found', () => {
  finds(ledger().ask().decide().run().run())
})

test('an approval that has ended, or came after its request ended, is found', () => {
  const ends = BODY.valid_until
  assert.deepEqual(ledger().ask().decide().run({}, '2026-06-01T12:09:59.999Z').found, [])
  finds(ledger().ask().decide().run({}, ends))
  finds(ledger().ask().decide({ valid_until: '2026-06-01T14:00:00.000Z' }, REQUEST.expires_at))
  finds(ledger().ask().decide({ decision: 'EXPIRED' }, DECIDED_AT, null))
  finds(ledger().ask().decide({}, ends))
})

test('a request that waits longer, or shorter, than its contract says is found', () => {
  const night = { ...CONTRACT, safety_rules: { approval_window_s: 57_600 } } as Contract
  const expires_at = '2026-06-02T04:00:00.000Z'
  assert.deepEqual(ledger(night).ask({ expires_at }).found, [])
  finds(ledger().ask({ expires_at }))
  finds(ledger(night).ask())
  finds(ledger().ask({ expires_at: '2026-06-01T12:59:59.999Z' }))
  const requested_at = '2026-06-01T12:00:01.000Z'
  finds(ledger().ask({ requested_at, expires_at: '2026-06-01T13:00:01.000Z' }))
})

test('other bytes than were shown, or than a person wrote, are found', () => {
  finds(
    ledger()
      .ask()
      .decide()
      .run({ proposal: { params: { amount: '10' } } }),
  )
  const intent = { ...INTENT, approval: { request_id: 'a:1' }, params: { amount: '10' } }
  finds(ledger().ask().decide().run({ intent }))
  finds(ledger().ask().decide({ intent_digest: 'another' }))
  finds(ledger().ask().decide({ shown_snapshot: 'another' }))

  const modified = { params: { amount: '3' } }
  const written = { params: modified.params, supersedes: 'p' }
  const releases = computeAddress('proposal', toCanonicalJson(written))
  const judged = {
    request_id: 'a:1',
    judged_for: BODY.person,
    proposal_hash: releases,
    impact: 'LOW_IMPACT',
    impact_reasons: [],
    exposure: { measure: 'usd', value: '3', threshold: '5' },
    not_before: DECIDED_AT,
  }
  const named = {
    decision: 'MODIFY',
    modified,
    modification: computeAddress('modification', toCanonicalJson(judged)),
  }
  const changed = (judgement: object = judged, change: object = {}): Ledger =>
    ledger()
      .ask()
      .decide({ ...named, ...change }, DECIDED_AT, releases, judgement)
  const runs = { ...INTENT, approval: { request_id: 'a:1' }, params: modified.params }
  const trace = (usd: string): object => ({
    trace: [...TRIGGERS, { stage: 'preconditions', measures: { usd } }],
  })
  const ran = (it: Ledger, usd = '5'): Ledger =>
    it.run({ intent: runs, proposal: written, ...trace(usd) })
  assert.deepEqual(ran(changed()).found, [])
  finds(ran(changed(), '5.01'))
  finds(ledger().ask().decide(named, DECIDED_AT, releases))
  finds(changed({ ...judged, judged_for: 'p_bob' }))
  finds(changed(judged, { modification: 'another' }))
  finds(changed().run())
  finds(changed().run({ intent: runs, proposal: { ...written, also: 1 } }))
})

test('too few, the same one twice, strangers, the owner, and haste are found', () => {
  const two = { needs: 2, approvers: ['ann@example.com', 'bob@example.com'] }
  const both = ledger().ask(two).decide({}, DECIDED_AT, null)
  assert.deepEqual(both.decide({ approver: 'bob@example.com' }).run().found, [])
  finds(ledger().ask(two).decide())
  finds(ledger().ask(two).decide({}, DECIDED_AT, null).decide({ approver: 'Ann@example.com' }))
  finds(ledger().ask(two).decide({ approver: 'cyd@example.com' }, DECIDED_AT, null))
  finds(ledger().ask().decide({}, '2026-06-01T12:00:09.999Z'))
  finds(ledger().ask().decide({ acknowledged_impact: 'LOW_IMPACT' }))
  const words = { acknowledge: 'ACME 7' }
  assert.deepEqual(ledger().ask(words).decide({ acknowledgement: 'ACME 7' }).found, [])
  finds(ledger().ask(words).decide({ acknowledgement: 'ACME 70' }))
})

test('a parent decides alone what it was asked, and nothing that is for people', () => {
  const asked = { channel: 'agent:lead', impact: 'LOW_IMPACT' }
  const by = (approver: string, change: object = {}): Ledger =>
    ledger()
      .ask({ ...asked, ...change })
      .decide({ approver })
  assert.deepEqual(by('agent:lead').run().found, [])
  const unrated = { impact: 'HIGH_IMPACT', impact_reasons: ['irreversible'] }
  assert.deepEqual(by('agent:lead', unrated).run().found, [])
  finds(by('agent:other'))
  finds(by('agent:lead', { ...unrated, impact_reasons: ['irreversible', 'exposure'] }))
  finds(by('agent:lead', { needs: 2 }))
  finds(by('agent:lead', { approvers: ['ann@example.com'] }))
})

test('a request goes to somebody else as it is, and is read from then on', () => {
  const asked = { channel: 'agent:lead' }
  const later = { not_before: '2026-06-01T12:05:10.000Z' }
  const passed = (change: object = {}): Ledger =>
    ledger()
      .ask(asked)
      .ask({ ...later, ...change })
  assert.deepEqual(passed().decide({}, later.not_before).found, [])
  finds(passed().decide())
  finds(passed({ needs: 2 }))
  finds(passed({ not_before: ASKED_AT }))
})

test('I19: one human behind two logins is one approval, and the owner the owner', () => {
  const of = ['ann@example.com', 'ann.lee@example.com', 'bob@example.com']
  const two = ledger().ask({ needs: 2, approvers: of }).decide({}, DECIDED_AT, null)
  assert.ok(two.decide({ approver: 'ann.lee@example.com' }).found.includes('I19'))
  const owner = ledger().ask().decide({ approver: 'jd@example.com' })
  assert.deepEqual(owner.found, ['I19'])
})

test('a trigger that was not lifted, and a request that is decided twice, are found', () => {
  finds(ledger().ask().decide({ lifts: [] }).run())
  finds(ledger().ask().decide().decide({ approver: 'bob@example.com' }))
  finds(ledger().ask().decide().ask())
})

test('a flow that acts while too few have answered what it was asked is found', () => {
  const asked = (): Ledger => ledger().ask({ kind: 'asked', dfid: 'a', needs: 2 })
  const bob = { approver: 'bob@example.com' }
  const acts = { intent: INTENT, trace: [] }
  assert.deepEqual(asked().decide({}, DECIDED_AT, null).found, [])
  finds(asked().decide({}, DECIDED_AT, null).run(acts))
  const both = asked().decide({}, DECIDED_AT, null).decide(bob, DECIDED_AT, null)
  assert.deepEqual(both.run(acts).found, [])
})

test('a request that asks others than the contract names is found', () => {
  const of = ['ann@example.com', 'bob@example.com']
  const contract = {
    owner: '',
    safety_rules: { approvers: { needs: 2, of } },
  } as unknown as Contract
  assert.deepEqual(ledger(contract).ask({ needs: 2, approvers: of }).found, [])
  finds(ledger(contract).ask())
})
