/** The kernel's order, as a check. */
import type { ApprovalFact } from '../compile/facts.ts'
import { type IntentBody, ON_FAILURE } from '../execution/intent.ts'
import { signature } from './authority-shape.ts'
import {
  acceptAnything,
  address,
  count,
  createEnumShape,
  createExactShape,
  createNullableShape,
  identifier,
  instant,
  listOf,
  object,
  type Shape,
  text,
} from './shape.ts'

type IntentOption = 'compensation' | 'approval' | 'atom_id' | 'on_failure'

/** By its type, so that a new member does not compile until it has a shape. */
const intentBody: Readonly<Record<Exclude<keyof IntentBody, IntentOption>, Shape>> = {
  dfid: identifier,
  step_id: text,
  attempt: count,
  tenant: identifier,
  trajectory: identifier,
  agent_id: text,
  capability: text,
  policy_kind: text,
  params: object,
  idempotency_key: text,
  params_fingerprint: text,
  resources: listOf(acceptAnything),
  constraints: object,
  cost: object,
  snapshot_id: text,
  facts_hash: address,
  contract_hash: address,
  capability_hash: address,
  writ_id: address,
  rules_hash: address,
  compiler_version: text,
  proposal_hash: address,
  policy_trace_hash: address,
  staged_at: instant,
  dispatch_before: instant,
}
const intentOptions: Readonly<Record<IntentOption, Shape>> = {
  atom_id: address,
  compensation: createExactShape({ action: text, chosen: address, dfid: identifier, of: address }),
  on_failure: createEnumShape(ON_FAILURE),
  approval: createExactShape({
    request_id: identifier,
    decision: createEnumShape(['OVERRIDE', 'MODIFY']),
    approver: text,
    decisions: count,
    binds: address,
    rules_hash: address,
    lifts: listOf(text),
    impact: createEnumShape(['LOW_IMPACT', 'HIGH_IMPACT']),
    past: createExactShape({
      successes: count,
      of_kind: count,
      largest: createNullableShape(text),
    }),
    valid_until: instant,
    decided_at: instant,
  } satisfies Readonly<Record<keyof ApprovalFact, Shape>>),
}
export const intent: Shape = createExactShape(
  { ...intentBody, intent_id: address, kernel_signature: signature },
  intentOptions,
)
