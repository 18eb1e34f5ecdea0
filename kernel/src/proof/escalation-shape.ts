/** A request and what was decided about it, as checks. */
import { signature } from './authority-shape.ts'
import {
  address,
  anything,
  count,
  flag,
  having,
  identifier,
  instant,
  listOf,
  members,
  nullOr,
  object,
  oneOf,
  type Shape,
  text,
} from './shape.ts'

const past = members({ successes: count, of_kind: count, largest: nullOr(text) })
const impact = {
  impact: oneOf(['LOW_IMPACT', 'HIGH_IMPACT']),
  impact_reasons: listOf(text),
  exposure: nullOr(members({ measure: text, value: anything, threshold: text })),
}
/** What an approval is held against; the rest is for people. */
export const request: Shape = having({
  id: identifier,
  dfid: identifier,
  intent_digest: address,
  shown_snapshot: text,
  expires_at: instant,
  triggers: listOf(having({ id: text })),
  proposal_hash: nullOr(address),
  ...impact,
  past: nullOr(past),
  needs: count,
  agent_id: text,
  approvers: listOf(text),
  persons: members({ owner: text, approvers: listOf(text) }, { deployer: text }),
  channel: text,
  not_before: instant,
})
const decided = members(
  {
    request_id: identifier,
    dfid: identifier,
    decision: oneOf(['OVERRIDE', 'MODIFY', 'ABORT', 'EXPIRED']),
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
    modified: members({ params: object }, { execution_constraints: object }),
    modification: address,
    retire: flag,
    person: identifier,
  },
)
const modification = members(
  {
    request_id: identifier,
    judged_for: text,
    proposal_hash: address,
    ...impact,
    not_before: instant,
  },
  { acknowledge: text },
)
export const approval: Shape = members(
  {
    salt: text,
    body: decided,
    vouched_by: oneOf(['approver', 'operator', 'kernel']),
    releases: nullOr(address),
    signature,
  },
  { modification },
)
