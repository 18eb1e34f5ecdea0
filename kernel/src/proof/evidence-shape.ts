/** What an `evidence` entry carries, as checks: one of these. */
import type {
  ClosurePayload,
  EvidencePayload,
  ExplanationPayload,
  OpinionPayload,
  RefreshPayload,
  SagaPayload,
  SecurityEventPayload,
  UsagePayload,
} from '../ledger/evidence-payload.ts'
import type { MonitorTripPayload } from '../ledger/monitor-payload.ts'
import { monitorTrip } from './monitor-shape.ts'
import {
  address,
  flag,
  hexHash,
  identifier,
  listOf,
  members,
  object,
  oneOf,
  type Shape,
  text,
} from './shape.ts'

export type AnyEvidence =
  | EvidencePayload
  | UsagePayload
  | SecurityEventPayload
  | OpinionPayload
  | RefreshPayload
  | SagaPayload
  | MonitorTripPayload
  | ExplanationPayload
  | ClosurePayload

const securityEvent = members({
  salt: text,
  source: oneOf(['sanitiser']),
  finding: oneOf(['injection']),
  details: members(
    { where: text, label: text, patterns: listOf(text), hash: hexHash },
    { path: text },
  ),
})
const opinion = {
  salt: text,
  by: identifier,
  step_id: text,
  proposal_hash: address,
  details: members({ why: text }),
}
const guardOpinion = members({
  ...opinion,
  source: oneOf(['soft_guard']),
  finding: oneOf(['aligned', 'mismatch']),
  strict: flag,
})
const auditOpinion = members({
  ...opinion,
  source: oneOf(['auditor']),
  finding: oneOf(['aligned', 'drifted']),
})
const saga = members(
  {
    salt: text,
    source: oneOf(['saga']),
    status: oneOf([
      'PARTIAL_SUCCESS_DIRTY',
      'COMPENSATING',
      'MANUAL_REVIEW',
      'COMPENSATED',
      'SETTLED',
    ]),
    details: object,
  },
  { reason_code: oneOf(['PARTIAL_SUCCESS_DIRTY']), settles: listOf(address) },
)
const refresh = members({
  salt: text,
  source: oneOf(['context']),
  finding: oneOf(['refreshed']),
  snapshot: object,
  snapshot_id: address,
})
const explanation = members({
  salt: text,
  source: oneOf(['agent']),
  finding: oneOf(['explained']),
  explain_ref: identifier,
  narrative: text,
  identified_signals: listOf(text),
  risks: listOf(text),
})
const closure = members({ salt: text, source: oneOf(['agent']), finding: oneOf(['closed']) })
const aboutEffect = { salt: text, intent_id: address, details: object }
const found = members({
  ...aboutEffect,
  source: oneOf(['probe', 'person']),
  finding: oneOf(['applied', 'absent', 'inconclusive']),
})
const interrupted = members({
  ...aboutEffect,
  source: oneOf(['recovery']),
  finding: oneOf(['interrupted']),
})
const usage = members(
  { salt: text, writ_id: address, source: oneOf(['agent']), used: object },
  { report: identifier },
)

export const EVIDENCE_SHAPES: readonly Shape[] = [
  found,
  interrupted,
  usage,
  securityEvent,
  guardOpinion,
  auditOpinion,
  refresh,
  saga,
  monitorTrip,
  explanation,
  closure,
]
