/** A request, a decision and facts that fit each other, and ways to make one of them differ. */
import type { Address } from '../canonical/address.ts'
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import { patched } from '../compile/case-patch.test-support.ts'
import type { Refusal } from '../compile/verdict.ts'
import { parseDecision } from './decision.ts'
import { type DecisionFacts, judgeDecision } from './judge-decision.ts'
import type { EscalationRequest } from './request.ts'

const DIGEST: Address = `sha256:${'1'.repeat(64)}`
const SNAPSHOT: Address = `sha256:${'5'.repeat(64)}`

export const REQUEST: EscalationRequest = {
  id: '0195555c-0000-7000-8000-000000000001:1',
  kind: 'proposal',
  dfid: '0195555c-0000-7000-8000-000000000001',
  agent_id: 'trader_01',
  step_id: 'step-1',
  attempt: 1,
  intent_digest: DIGEST,
  proposal_hash: `sha256:${'2'.repeat(64)}`,
  rules_hash: `sha256:${'3'.repeat(64)}`,
  triggers: [
    { id: 'limit:alone', code: 'AUTHORITY_CEILING', channel: 'operator', details: {} },
    { id: 'confidence', code: 'UNCERTAINTY', channel: 'operator', details: {} },
  ],
  reason_code: 'AUTHORITY_CEILING',
  impact: 'HIGH_IMPACT',
  impact_reasons: ['irreversible'],
  exposure: null,
  past: { successes: 0, of_kind: 0, largest: null },
  reversible: false,
  facts_digest: `sha256:${'4'.repeat(64)}`,
  shown_snapshot: SNAPSHOT,
  queue: 'exception',
  needs: 1,
  approvers: [],
  persons: { owner: 'p_jane', approvers: [] },
  requested_at: '2026-03-02T10:00:00.000Z',
  not_before: '2026-03-02T10:00:10.000Z',
  expires_at: '2026-03-02T11:00:00.000Z',
  channel: 'operator',
}

export const DECISION: JsonObject = {
  decision: 'OVERRIDE',
  intent_digest: DIGEST,
  shown_snapshot: SNAPSHOT,
  lifts: ['limit:alone', 'confidence'],
  valid_until: '2026-03-02T10:06:00.000Z',
  justification: 'the desk is short of it',
  acknowledged_impact: 'HIGH_IMPACT',
}

export const FACTS: DecisionFacts = {
  now: '2026-03-02T10:01:00.000Z',
  open: true,
  by: { kind: 'person', principal: 'ann@example.com', person: 'p_ann', registered: true },
  answering: ['p_jane', 'p_olga'],
  approvers: [],
  counted: [],
  modification: null,
}

export type DecisionPatch = {
  readonly request?: JsonObject
  readonly decision?: JsonObject
  readonly facts?: JsonObject
}

/** What is wrong with the decision, or null. */
export function judged({ request = {}, decision = {}, facts = {} }: DecisionPatch): Refusal | null {
  const read = parseDecision(patched(DECISION, decision))
  if (!read.ok) return read.error
  return judgeDecision(
    merged(REQUEST, request) as EscalationRequest,
    read.value,
    merged(FACTS, facts) as DecisionFacts,
  )
}

function merged(document: unknown, patch: JsonObject): unknown {
  return patched(document as JsonObject, patch) as JsonValue
}
