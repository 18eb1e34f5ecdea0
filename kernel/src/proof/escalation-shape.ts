/** A request and what was decided about it, as checks. */
import { signature } from './authority-shape.ts'
import {
  acceptAnything,
  address,
  count,
  createEnumShape,
  createExactShape,
  createNullableShape,
  createOpenShape,
  flag,
  identifier,
  instant,
  listOf,
  object,
  type Shape,
  text,
} from './shape.ts'

const past = createExactShape({
  successes: count,
  of_kind: count,
  largest: createNullableShape(text),
})
const impact = {
  impact: createEnumShape(['LOW_IMPACT', 'HIGH_IMPACT']),
  impact_reasons: listOf(text),
  exposure: createNullableShape(
    createExactShape({ measure: text, value: acceptAnything, threshold: text }),
  ),
}
/** What an approval is held against; the rest is for people. */
export const request: Shape = createOpenShape({
  id: identifier,
  dfid: identifier,
  intent_digest: address,
  shown_snapshot: text,
  expires_at: instant,
  triggers: listOf(createOpenShape({ id: text })),
  proposal_hash: createNullableShape(address),
  ...impact,
  past: createNullableShape(past),
  needs: count,
  agent_id: text,
  approvers: listOf(text),
  persons: createExactShape({ owner: text, approvers: listOf(text) }, { deployer: text }),
  channel: text,
  not_before: instant,
})
const decided = createExactShape(
  {
    request_id: identifier,
    dfid: identifier,
    decision: createEnumShape(['OVERRIDE', 'MODIFY', 'ABORT', 'EXPIRED']),
    approver: text,
    intent_digest: address,
    shown_snapshot: text,
    lifts: listOf(text),
    justification: text,
  },
  {
    valid_until: instant,
    acknowledged_impact: text,
    acknowledgement: text,
    shown_facts: address,
    modified: createExactShape({ params: object }, { execution_constraints: object }),
    modification: address,
    retire: flag,
    person: identifier,
  },
)
const modification = createExactShape(
  {
    request_id: identifier,
    judged_for: text,
    proposal_hash: address,
    ...impact,
    not_before: instant,
  },
  { acknowledge: text },
)
export const approval: Shape = createExactShape(
  {
    salt: text,
    body: decided,
    vouched_by: createEnumShape(['approver', 'operator', 'kernel']),
    releases: createNullableShape(address),
    signature,
  },
  { modification, self_approval: createEnumShape(['allowed']) },
)
