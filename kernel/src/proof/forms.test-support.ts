/** One payload of every form that an entry can have, with all its members. */
import type { JsonObject } from '../canonical/json-value.ts'
import type { EntryKind } from '../ledger/entry.ts'

const ADDRESS = `sha256:${'a'.repeat(64)}`
const HASH = 'b'.repeat(64)
const AT = '2026-06-01T12:00:00.000Z'
const signature: JsonObject = { key_id: 'k1', sig: 'AAAA' }
const salt = 's'

const key: JsonObject = {
  key_id: 'k1',
  public_key: 'AAAA',
  purpose: 'agent',
  subject: 'bot',
  by: 'jane',
}
const contract: JsonObject = { agent_id: 'bot', version: '1', instance_of: 'bots' }
const deploying: JsonObject = {
  action: 'deploy',
  contract,
  contract_hash: ADDRESS,
  revoke_previous: false,
}
const persons: JsonObject = { owner: 'jane', approvers: ['joe'] }
const capability: JsonObject = { capability: { kind: 'PAY' }, capability_hash: ADDRESS }
const arbitration: JsonObject = { window_ms: 5, exclusive: 'event', preempting_kinds: ['HALT'] }
const admission: JsonObject = {
  table: [{ from: '0', agents: 1 }],
  tokens: { per_window: 1, window_s: 1, expected: 1 },
}
const rules: JsonObject = {
  rules_hash: ADDRESS,
  rules: {
    compiler_version: '1',
    policies: [{ source: 's' }],
    topologies: [{ topology: 'SDS', topics: ['t'], agents: ['bot'], policy_kinds: ['PAY'] }],
    topics: [{ topic: 't', arbitration, admission }],
  },
  capabilities: [capability],
  texts: { a: 'x' },
  previous_until: AT,
}

const past: JsonObject = { successes: 1, of_kind: 1, largest: '5' }
const impact: JsonObject = {
  impact: 'LOW_IMPACT',
  impact_reasons: ['small'],
  exposure: { measure: 'usd', value: '1', threshold: '5' },
}
const request: JsonObject = {
  ...{ id: 'r1', dfid: 'f1', intent_digest: ADDRESS, shown_snapshot: 's1', expires_at: AT },
  ...{
    triggers: [{ id: 't' }],
    proposal_hash: ADDRESS,
    ...impact,
    past,
    needs: 1,
    agent_id: 'bot',
  },
  ...{ approvers: ['joe'], persons: { ...persons, deployer: 'jim' }, channel: 'c', not_before: AT },
}
const approvalFact: JsonObject = {
  ...{ request_id: 'r1', decision: 'OVERRIDE', approver: 'joe', decisions: 1, binds: ADDRESS },
  ...{ rules_hash: ADDRESS, lifts: ['cap'], impact: 'LOW_IMPACT', past, valid_until: AT },
  decided_at: AT,
}
const intent: JsonObject = {
  ...{ dfid: 'f1', step_id: 's1', attempt: 1, tenant: 'acme', trajectory: 'main', agent_id: 'bot' },
  ...{ capability: 'PAY', policy_kind: 'PAY', params: {}, idempotency_key: 'i', resources: [] },
  ...{ params_fingerprint: 'p', constraints: {}, cost: {}, snapshot_id: 's1', facts_hash: ADDRESS },
  ...{ contract_hash: ADDRESS, capability_hash: ADDRESS, writ_id: ADDRESS, rules_hash: ADDRESS },
  ...{ compiler_version: '1', proposal_hash: ADDRESS, policy_trace_hash: ADDRESS, staged_at: AT },
  ...{ dispatch_before: AT, intent_id: ADDRESS, kernel_signature: signature, atom_id: ADDRESS },
  compensation: { action: 'undo', chosen: ADDRESS, dfid: 'f0', of: ADDRESS },
  on_failure: 'ALERT_HUMAN',
  approval: approvalFact,
}
const auth: JsonObject = { kind: 'session', agent_id: 'bot', key: { key_id: 'k1' } }
const facts: JsonObject = { authority_seq: 1, auth, agent: { maintenance: false } }
const decision: JsonObject = {
  ...{ salt, attempt: 1, proposal: {}, received: 'text', facts, facts_hash: ADDRESS, trace: [] },
  filled: ['dfid'],
}
const refusal: JsonObject = {
  ...{ salt, attempt: 1, received: 'text', trace: [], stage: 'scope', gate: 3, reason_code: 'X' },
  ...{ details: {}, filled: ['dfid'], proposal: {}, domain_code: 'd', ended_flow: 'f0' },
  ...{ snapshot: {}, snapshot_id: 's1' },
}

const delegation: JsonObject = {
  ...{ salt, parent_dfid: 'f1', child_dfid: 'f2', child_agent: 'b', child_trajectory: 'main' },
  writ_id: ADDRESS,
}
const opinion: JsonObject = {
  ...{ salt, by: 'story', step_id: 's1', proposal_hash: ADDRESS, details: { why: 'it fits' } },
  finding: 'aligned',
}
const asked: JsonObject = {
  ...{ salt, generation_id: 'g1', provider: 'p', model: 'm', request_hash: ADDRESS },
}
const generation: JsonObject = {
  ...{ ...asked, writ_id: ADDRESS, source: 'model', used: {}, grammar_hash: ADDRESS },
}
const advice: JsonObject = {
  ...{ ...asked, source: 'adviser', adviser: 'auditor', by: 'story', step_id: 's1', cost: {} },
  ...{ proposal_hash: ADDRESS, opinion: 'none' },
}
const answered: JsonObject = {
  ...{ finding: 'answered', answered_by: 'm', response_hash: ADDRESS, stop: 'end' },
  usage: { input_tokens: 1, output_tokens: 1, cached_tokens: 1 },
}
const failed: JsonObject = {
  ...{ finding: 'failed', reason_code: 'X', charged: true, response_hash: ADDRESS },
}
const atom: JsonObject = {
  ...{ agent_id: 'bot', atom_id: ADDRESS, authority_seq: 1, capability_hashes: {}, dfid: 'f1' },
  ...{ contract_hash: ADDRESS, covers: ['scope'], expires_at: AT, grammar_hash: 'g', nonce: 'n' },
  ...{ issued_at: AT, kernel_signature: signature, mission_context_hash: ADDRESS },
  ...{ policy_kinds: ['PAY'], reserved_cost: {}, rules_hash: ADDRESS, snapshot_id: 's1' },
  writ_id: ADDRESS,
}
const trip: JsonObject = {
  ...{ agent_id: 'bot', monitor: 'm', monitor_hash: ADDRESS, statistic: 'mean', value: '1' },
  ...{ bound: 'max', threshold: '1', window: {}, samples: 1, unreadable: 0, executions_behind: 0 },
  flows: ['f1'],
}
const aboutEffect: JsonObject = { salt, intent_id: ADDRESS, details: {} }

const signed = (body: JsonObject): JsonObject => ({ body, signature })

export const FORMS: Readonly<Record<Exclude<EntryKind, 'writ'>, readonly JsonObject[]>> = {
  root: [{ protocol: 'rubicon/2', created_by: 'me' }],
  branch: [
    {
      ...{ protocol: 'rubicon/2', world_after: HASH, note: 'n' },
      source: { trajectory: 'main', seq: 1, id: ADDRESS },
    },
  ],
  key: [
    { ...signed({ action: 'add', ...key }), possession: 'AAAA' },
    signed({ action: 'retire', ...key }),
    signed({ action: 'compromise', ...key, since_seq: 1 }),
  ],
  contract: [
    signed({ ...deploying, persons }),
    signed({ ...deploying, persons: { ...persons, deployer: 'jim' }, by: 'jim' }),
    ...[{ at: AT }, { flow: 'f1' }].map((until) =>
      signed({
        ...{ action: 'spawn', contract, contract_hash: ADDRESS, of: ADDRESS },
        occasion: { spawner: 'boss', until, ends_at: AT },
      }),
    ),
  ],
  lifecycle: [
    signed({
      ...{ agent_id: 'bot', from: 'ACTIVE', to: 'SUSPENDED', actor: 'operator', by: 'jane' },
      justification: 'j',
    }),
  ],
  revocation: [signed({ target: 'writ', id: 'i', reason: 'r', by: 'jane' })],
  policy: [
    signed(rules),
    signed({ action: 'capability', ...capability, previous_until: AT }),
    signed({
      ...{ action: 'watch', monitor_hash: ADDRESS },
      monitor: { name: 'm', agents: ['bot'], statistic: {} },
    }),
    signed({ action: 'unwatch', name: 'm', reason: 'done' }),
  ],
  anchor: [
    signed({
      ...{ action: 'accept_restore', epoch: 1, checkpoint: 'c', lost_from: 1, lost_to: 2 },
      reason: 'r',
    }),
    signed({ action: 'confirm_clock', clock: AT, last: AT, reason: 'r' }),
  ],
  source: [
    signed({
      ...{ action: 'register', source_id: 'feed', label: 'trusted', paths: ['x.*'], max_paths: 1 },
      ...{ key: 'AAAA', by: 'jane' },
    }),
    signed({ action: 'retire', source_id: 'feed', by: 'jane' }),
  ],
  person: [
    signed({
      ...{ action: 'register', person_id: 'p1', by: 'jane' },
      identities: [{ commitment: ADDRESS }, { key_id: 'k1' }],
    }),
    signed({ action: 'link', person_id: 'p1', identity: { key_id: 'k1' }, by: 'jane' }),
    signed({ action: 'merge', person_id: 'p1', into: 'p2', by: 'jane' }),
  ],
  delegation: [
    { ...delegation, opened_by: { kind: 'session' } },
    { ...delegation, opened_by: { kind: 'intent', intent_id: ADDRESS } },
    { ...delegation, returned: {} },
  ],
  accepted: [{ ...decision, intent, jit: {} }],
  dispatch: [
    { ...decision, intent, send: 1, jit: {} },
    {
      ...{ salt, intent_id: ADDRESS, accepted: { trajectory: 'main', seq: 1 }, send: 1, jit: {} },
      ...{ facts, facts_hash: ADDRESS },
    },
  ],
  resend: [
    {
      ...{ salt, facts, trace: [{ stage: 'scope', said: 'pass' }], signature },
      body: {
        ...{ intent_id: ADDRESS, first: { trajectory: 'main', seq: 1 }, send: 2, why: 'same_key' },
        ...{ facts_hash: ADDRESS, policy_trace_hash: ADDRESS, jit: {}, send_before: AT },
      },
    },
  ],
  rejection: [{ ...refusal, facts, facts_hash: ADDRESS }, refusal],
  pending_approval: [
    { ...decision, request },
    { salt, attempt: 1, request },
  ],
  approval: [
    {
      ...{ salt, vouched_by: 'approver', releases: ADDRESS, signature, self_approval: 'allowed' },
      body: {
        ...{ request_id: 'r1', dfid: 'f1', decision: 'MODIFY', approver: 'joe', lifts: ['cap'] },
        ...{ intent_digest: ADDRESS, shown_snapshot: 's1', justification: 'j', valid_until: AT },
        ...{ acknowledged_impact: 'a', acknowledgement: 'a', shown_facts: ADDRESS, retire: false },
        ...{ modified: { params: {}, execution_constraints: {} }, modification: ADDRESS },
        person: 'p1',
      },
      modification: {
        ...{ request_id: 'r1', judged_for: 'joe', proposal_hash: ADDRESS, ...impact },
        ...{ not_before: AT, acknowledge: 'a' },
      },
    },
  ],
  commit: [
    {
      ...{ salt, intent_id: ADDRESS, proposal_hash: ADDRESS, writ_id: ADDRESS, delta: [] },
      ...{ inverse: [], world_after: HASH, observations: [], policy_trace_hash: ADDRESS, cost: {} },
      ...{ compiler_version: '1', rules_hash: ADDRESS, facts_hash: ADDRESS, receipt: null },
      ...{ settled_by: 'answer', compensates: ADDRESS },
    },
  ],
  settle: [{ salt, intent_id: ADDRESS, status: 'UNKNOWN', reason_code: 'X', details: {} }],
  erasure: [
    signed({
      ...{ dfid: 'f1', reason: 'r', by: 'jane' },
      payloads: [{ trajectory: 'main', seq: 1, leaf: 1, world: [{ key: HASH, leaf: HASH }] }],
    }),
  ],
  event: [
    {
      ...{ salt, event_id: ADDRESS, topic: 't', state_snapshot_id: ADDRESS },
      observations: [{ path: 'p', version: 1, source: 's', label: 'agent', value_hash: ADDRESS }],
      ...{ woken: [{ agent: 'bot', dfid: 'f1' }], not_woken: [{ agent: 'bot', code: 'c' }] },
      admission: { candidates: 1, volatility: '1', by_table: 1, by_tokens: 1, tokens_left: 1 },
    },
  ],
  evidence: [
    { ...aboutEffect, source: 'probe', finding: 'applied' },
    { ...aboutEffect, source: 'recovery', finding: 'interrupted' },
    { salt, writ_id: ADDRESS, source: 'agent', used: {}, report: 'r' },
    {
      ...{ salt, source: 'sanitiser', finding: 'injection' },
      details: { where: 'note', label: 'agent', patterns: ['p'], hash: HASH, path: 'x' },
    },
    { salt, source: 'bus', finding: 'subscribed', details: { agent_id: 'bot', topic: 't' } },
    { ...opinion, source: 'soft_guard', strict: true },
    { ...opinion, source: 'auditor' },
    { salt, source: 'context', finding: 'refreshed', snapshot: {}, snapshot_id: ADDRESS },
    {
      ...{ salt, source: 'saga', status: 'SETTLED', details: {}, settles: [ADDRESS] },
      reason_code: 'PARTIAL_SUCCESS_DIRTY',
    },
    { salt, source: 'monitor', finding: 'tripped', reason_code: 'MONITOR_TRIPPED', details: trip },
    {
      ...{ salt, source: 'agent', finding: 'explained', explain_ref: 'e1', narrative: 'n' },
      ...{ identified_signals: ['x'], risks: ['y'] },
    },
    { salt, source: 'agent', finding: 'closed' },
    { ...generation, ...answered },
    { ...generation, ...failed },
    { ...generation, finding: 'lost' },
    { ...advice, ...answered },
    { ...advice, ...failed },
    {
      ...{ salt, source: 'review', finding: 'reviewed' },
      details: { by: 'jane', justification: 'j', flags: 1 },
    },
    { salt, source: 'kernel', finding: 'atom', atom },
  ],
}
