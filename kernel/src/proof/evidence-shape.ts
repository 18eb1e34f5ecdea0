/** What an `evidence` entry carries, as checks: one of these. */
import type {
  AdvicePayload,
  ClosurePayload,
  EvidencePayload,
  ExplanationPayload,
  GenerationPayload,
  OpinionPayload,
  RefreshPayload,
  ReviewPayload,
  SagaPayload,
  SecurityEventPayload,
  SubscriptionPayload,
  UsagePayload,
} from '../ledger/evidence-payload.ts'
import type { MonitorTripPayload } from '../ledger/monitor-payload.ts'
import { monitorTrip } from './monitor-shape.ts'
import {
  address,
  count,
  createEnumShape,
  createExactShape,
  createNullableShape,
  flag,
  hexHash,
  identifier,
  listOf,
  object,
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
  | GenerationPayload
  | AdvicePayload
  | ReviewPayload
  | SubscriptionPayload

const securityEvent = createExactShape({
  salt: text,
  source: createEnumShape(['sanitiser']),
  finding: createEnumShape(['injection']),
  details: createExactShape(
    { where: text, label: text, patterns: listOf(text), hash: hexHash },
    { path: text },
  ),
})
const subscription = createExactShape({
  salt: text,
  source: createEnumShape(['bus']),
  finding: createEnumShape(['subscribed', 'denied']),
  details: createExactShape({ agent_id: text, topic: text }),
})
const opinion = {
  salt: text,
  by: identifier,
  step_id: text,
  proposal_hash: address,
  details: createExactShape({ why: text }),
}
const guardOpinion = createExactShape({
  ...opinion,
  source: createEnumShape(['soft_guard']),
  finding: createEnumShape(['aligned', 'mismatch']),
  strict: flag,
})
const auditOpinion = createExactShape({
  ...opinion,
  source: createEnumShape(['auditor']),
  finding: createEnumShape(['aligned', 'drifted', 'no_opinion']),
})
const review = createExactShape({
  salt: text,
  source: createEnumShape(['review']),
  finding: createEnumShape(['reviewed']),
  details: createExactShape({ by: text, justification: text, flags: count }),
})
const saga = createExactShape(
  {
    salt: text,
    source: createEnumShape(['saga']),
    status: createEnumShape([
      'PARTIAL_SUCCESS_DIRTY',
      'COMPENSATING',
      'MANUAL_REVIEW',
      'COMPENSATED',
      'SETTLED',
    ]),
    details: object,
  },
  { reason_code: createEnumShape(['PARTIAL_SUCCESS_DIRTY']), settles: listOf(address) },
)
const refresh = createExactShape({
  salt: text,
  source: createEnumShape(['context']),
  finding: createEnumShape(['refreshed']),
  snapshot: object,
  snapshot_id: address,
})
const explanation = createExactShape({
  salt: text,
  source: createEnumShape(['agent']),
  finding: createEnumShape(['explained']),
  explain_ref: identifier,
  narrative: text,
  identified_signals: listOf(text),
  risks: listOf(text),
})
const closure = createExactShape({
  salt: text,
  source: createEnumShape(['agent']),
  finding: createEnumShape(['closed']),
})
const aboutEffect = { salt: text, intent_id: address, details: object }
const found = createExactShape({
  ...aboutEffect,
  source: createEnumShape(['probe', 'person']),
  finding: createEnumShape(['applied', 'absent', 'inconclusive']),
})
const interrupted = createExactShape({
  ...aboutEffect,
  source: createEnumShape(['recovery']),
  finding: createEnumShape(['interrupted']),
})
const usage = createExactShape(
  { salt: text, writ_id: address, source: createEnumShape(['agent']), used: object },
  { report: identifier },
)

const asked = {
  salt: text,
  generation_id: identifier,
  provider: identifier,
  model: text,
  request_hash: address,
}
const generation = {
  ...asked,
  writ_id: address,
  source: createEnumShape(['model']),
  used: object,
}
const advice = {
  ...asked,
  source: createEnumShape(['adviser']),
  adviser: createEnumShape(['soft_guard', 'auditor']),
  by: identifier,
  step_id: text,
  proposal_hash: address,
  cost: object,
  opinion: createEnumShape(['aligned', 'mismatch', 'drifted', 'none']),
}
const answered = {
  finding: createEnumShape(['answered']),
  answered_by: text,
  response_hash: address,
  usage: createNullableShape(
    createExactShape({ input_tokens: count, output_tokens: count }, { cached_tokens: count }),
  ),
  stop: createEnumShape(['end', 'tools', 'length', 'filtered', 'other']),
}
const failed = { finding: createEnumShape(['failed']), reason_code: text, charged: flag }
const mayHaveReply = { response_hash: address }
const generationAnswered = createExactShape({ ...generation, ...answered })
const generationFailed = createExactShape({ ...generation, ...failed }, mayHaveReply)
const generationLost = createExactShape({ ...generation, finding: createEnumShape(['lost']) })

export const EVIDENCE_SHAPES: readonly Shape[] = [
  found,
  interrupted,
  usage,
  securityEvent,
  subscription,
  guardOpinion,
  auditOpinion,
  refresh,
  saga,
  monitorTrip,
  explanation,
  closure,
  generationAnswered,
  generationFailed,
  generationLost,
  createExactShape({ ...advice, ...answered }),
  createExactShape({ ...advice, ...failed }, mayHaveReply),
  review,
]
