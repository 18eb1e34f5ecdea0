import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../canonical/json-value.ts'
import { computeIntentDigest } from './10-emission.ts'
import { type CasePatch, withCase } from './case.test-support.ts'
import { compile } from './compile.ts'
import { checkDispatch } from './dispatch-checks.ts'
import { recheck } from './recheck.ts'
import type { Verdict } from './verdict.ts'

/** Asks for a person twice: a policy does, and its confidence. */
const ASKS = { policy: 'asks', proposal: { confidence: '0.5' } } as const satisfies CasePatch

function suspended(patch: CasePatch): Extract<Verdict, { kind: 'suspended' }> {
  const verdict = compile(withCase(patch))
  assert.ok(verdict.kind === 'suspended')
  return verdict
}

/** The same case, approved: everything that it asked is lifted, unless `change` says otherwise. */
function approved(patch: CasePatch, change: JsonObject = {}, flow: JsonObject = {}): CasePatch {
  const { triggers, intent_digest } = suspended(patch)
  const approval: JsonObject = {
    request_id: 'request-1',
    decision: 'OVERRIDE',
    approver: 'ann@example.com',
    decisions: 1,
    binds: intent_digest,
    rules_hash: withCase(patch).rules.hash,
    lifts: triggers.map(({ id }) => id),
    valid_until: '2026-03-02T10:10:00.000Z',
    decided_at: '2026-03-02T10:00:00.000Z',
    ...change,
  }
  return { ...patch, facts: { approval, flow: { state: 'ESCALATED', ...flow } } }
}

function codeOf(patch: CasePatch): string {
  const verdict = compile(withCase(patch))
  return 'code' in verdict ? verdict.code : verdict.kind
}

test('what was approved is staged, and the intent says by whom', () => {
  const verdict = compile(withCase(approved(ASKS)))
  assert.ok(verdict.kind === 'staged')
  assert.equal(verdict.intent.approval?.approver, 'ann@example.com')
  const input = withCase(approved(ASKS))
  assert.equal(
    computeIntentDigest(verdict.intent, input.rules.sha256),
    verdict.intent.approval?.binds,
  )
  assert.ok(
    verdict.trace.some(({ said }) => said === 'suspend'),
    'the trace still says what asked',
  )
})

test('nothing is staged without an approval that is about an escalated flow', () => {
  assert.equal(codeOf(approved(ASKS, {}, { state: 'ACTIVE' })), 'FLOW_NOT_OPEN')
  const unapproved = { ...ASKS, facts: { flow: { state: 'ESCALATED' } } }
  assert.equal(codeOf(unapproved), 'FLOW_NOT_OPEN')
})

test('what is not lifted suspends again', () => {
  const [first, second] = suspended(ASKS).triggers
  for (const [lifted, left] of [
    [first, second],
    [second, first],
  ]) {
    const again = compile(withCase(approved(ASKS, { lifts: [lifted?.id ?? ''] })))
    assert.ok(again.kind === 'suspended')
    assert.equal(again.code, left?.code)
    assert.deepEqual(again.triggers, [first, second], 'the approval is used up: all is asked again')
  }
})

test('what was approved as little, and is much by now, asks again', () => {
  const past = { successes: 0, of_kind: 0, largest: null }
  const little = (change: JsonObject = {}, threshold = '4000'): Verdict => {
    const exposure = { measure: 'order_value_usd', threshold }
    const description = { reversible: true, risk: 'low', exposure }
    const approval = { impact: 'LOW_IMPACT', past, ...change }
    return compile(withCase(approved({ ...ASKS, description }, approval)))
  }
  assert.equal(little().kind, 'staged')
  const raised = little({}, '3999.99')
  assert.ok(raised.kind === 'suspended')
  assert.equal(raised.code, 'IMPACT_RAISED')
  assert.deepEqual(
    raised.triggers.map(({ id }) => id),
    ['impact', 'confidence', 'policy:asks@risk-desk'],
  )
  assert.equal(little({ impact: 'HIGH_IMPACT' }, '3999.99').kind, 'staged', 'approved as much')
  const seldom = { successes: 3, of_kind: 2, largest: '399.99' }
  assert.equal(little({ past: seldom }).kind, 'suspended', 'more than ten times as much')
  assert.equal(little({ past: { ...seldom, largest: '400' } }).kind, 'staged')
})

test('other bytes, another contract or other rules than were approved void it', () => {
  const other = `sha256:${'0'.repeat(64)}`
  const verdict = compile(withCase(approved(ASKS, { binds: other })))
  assert.ok(verdict.kind === 'rejected')
  assert.deepEqual([verdict.code, verdict.stage], ['APPROVAL_VOID', 'emission'])
  assert.equal(codeOf(approved(ASKS, { rules_hash: other })), 'APPROVAL_VOID')
  const changed = approved(ASKS)
  assert.equal(codeOf({ ...changed, contract: { priority: 51 } }), 'APPROVAL_VOID')
  const params = { instrument: 'ETH-USD', quantity: '1', account: 'ACC-1' }
  assert.equal(codeOf({ ...changed, proposal: { ...ASKS.proposal, params } }), 'APPROVAL_VOID')
})

test('only triggers are lifted: lifecycle, limits and arguments still refuse', () => {
  const base = approved(ASKS)
  const facts = base.facts ?? {}
  assert.equal(
    codeOf({ ...base, facts: { ...facts, agent: { status: 'SUSPENDED' } } }),
    'AGENT_SUSPENDED',
  )
  const huge = { ...ASKS.proposal, params: { quantity: '1000' } }
  assert.equal(codeOf({ ...base, proposal: huge }), 'ORDER_VALUE_EXCEEDED')
})

test('the deadline is that of the decision, exclusive', () => {
  const late = { ...ASKS, proposal: { ...ASKS.proposal, valid_until: '2026-03-02T10:00:00.001Z' } }
  assert.equal(codeOf(approved(late)), 'staged')
  const until = (valid_until: string): string => codeOf(approved(ASKS, { valid_until }))
  assert.equal(until('2026-03-02T10:00:00.001Z'), 'staged')
  assert.equal(until('2026-03-02T10:00:00.000Z'), 'APPROVAL_EXPIRED')
  assert.equal(until('some day'), 'APPROVAL_EXPIRED')
})

test('the snapshot is as old as the decision, also for the constraints of the proposal', () => {
  const old = { snapshot_at: '2026-03-02T08:00:00.000Z' }
  assert.equal(codeOf(approved(ASKS, {}, old)), 'staged')
  const stale = { decided_at: '2026-03-02T08:00:00.000Z' }
  assert.equal(codeOf(approved(ASKS, stale)), 'STALE_CONTEXT')
  const bounded = {
    ...ASKS,
    proposal: { ...ASKS.proposal, execution_constraints: { validity_window_sec: 60 } },
  }
  const input = withCase(approved(bounded, {}, old))
  const law = input.rules.capability('BUY')
  assert.ok(law !== undefined && input.contract !== null)
  const { contract, proposal } = input
  const facts = input.facts.value
  assert.equal(checkDispatch({ facts, proposal, contract, law, measures: {} }), null)
})

/** As a person wrote it, in the place of what was asked. */
function written(more: CasePatch = {}, facts: JsonObject = {}): CasePatch {
  const patch = { ...ASKS, ...more, proposal: { ...ASKS.proposal, supersedes: 'sha256:1' } }
  const { document, rules } = withCase(patch)
  const approval = {
    request_id: 'request-1',
    decision: 'MODIFY',
    approver: 'ann@example.com',
    decisions: 1,
    binds: document.address,
    rules_hash: rules.hash,
    lifts: suspended(ASKS).triggers.map(({ id }) => id),
    valid_until: '2026-03-02T10:10:00.000Z',
    decided_at: '2026-03-02T10:00:00.000Z',
  }
  const auth = { kind: 'approval', request_id: 'request-1', approver: 'ann', agent_id: null }
  return { ...patch, facts: { approval, auth, flow: { state: 'ESCALATED' }, ...facts } }
}

test('a MODIFY binds to the proposal that the person wrote', () => {
  assert.equal(codeOf(written()), 'staged')
  const signed = { contract: { safety_rules: { requires_signature: true } } }
  assert.equal(codeOf(written(signed)), 'staged', 'the decision was signed')
  assert.equal(codeOf(written({}, { claim: { status: 'SUCCESS' } })), 'repeated')
  const other = written()
  const params = { instrument: 'ETH-USD', quantity: '1', account: 'ACC-1' }
  assert.equal(codeOf({ ...other, proposal: { ...other.proposal, params } }), 'APPROVAL_VOID')
})

test('an agent cannot put a proposal in the place of another', () => {
  assert.equal(codeOf({ proposal: { supersedes: 'sha256:1' } }), 'IDENTITY_MISMATCH')
})

test('an executor of its own looks again, and does not ask again for what was approved', () => {
  const limits = [
    { id: 'small', measure: 'order_value_usd', max: '1', on_breach: 'escalate' },
  ] as unknown as JsonObject
  const contract = { permissions: { limits } }
  const asks = { contract }
  const lifted = withCase(approved(asks))
  assert.equal(recheck(lifted).refusal, null)
  assert.equal(recheck(withCase(asks)).refusal?.code, 'AUTHORITY_CEILING')
})
