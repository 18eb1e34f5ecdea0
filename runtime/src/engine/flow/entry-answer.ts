/** What an entry of a flow says, as an answer to its agent. */
import {
  type Answer,
  type ApprovalPayload,
  isReasonCode,
  type JsonObject,
  type PendingApprovalPayload,
  type ReasonCode,
  type RejectionPayload,
} from 'rubicon-kernel'
import type { FlowRow, StoredEntry } from '../../ports/store.ts'
import { buildEscalatedAnswer, buildRejectedAnswer, toSuspended } from '../rows/answer.ts'

/** In which flow, and at which attempt, it is said. */
export type Spoken = Pick<FlowRow, 'dfid' | 'attempts'>

export function toRejectionAnswer(
  flow: Spoken,
  entry: StoredEntry,
  { reason_code, domain_code, stage, details, ended_flow }: RejectionPayload,
): Answer | null {
  if (!isReasonCode(reason_code)) return null
  const said = { dfid: flow.dfid, attempt: flow.attempts, code: reason_code, stage, details }
  const named = domain_code === undefined ? {} : { domain_code }
  return buildRejectedAnswer(
    { ...said, ...named, trace_id: formatEntryPlace(entry) },
    ended_flow ?? null,
  )
}

export function toEscalationAnswer(flow: Spoken, entry: StoredEntry, payload: string): Answer {
  const { request } = JSON.parse(payload) as PendingApprovalPayload
  return buildEscalatedAnswer(
    flow.dfid,
    request.attempt,
    toSuspended(request),
    formatEntryPlace(entry),
  )
}

/** An approval of what was proposed is followed by what came of it; these are not. */
export function toDecisionAnswer(
  flow: Spoken,
  entry: StoredEntry,
  { body }: ApprovalPayload,
): Answer | null {
  const { decision, approver, justification } = body
  const trace_id = formatEntryPlace(entry)
  switch (decision) {
    case 'EXPIRED':
      return buildRefusalAnswer(flow, trace_id, 'queue', 'ESCALATION_EXPIRED', {})
    case 'ABORT':
      return buildRefusalAnswer(flow, trace_id, 'queue', 'FLOW_CANCELLED', {
        approver,
        justification,
      })
    default:
      return { dfid: flow.dfid, attempt: flow.attempts, outcome: 'ACCEPTED', trace_id }
  }
}

export function buildRefusalAnswer(
  { dfid, attempts }: Spoken,
  trace_id: string,
  stage: 'queue' | 'dispatch',
  code: ReasonCode,
  details: JsonObject,
): Answer {
  return buildRejectedAnswer({ dfid, attempt: attempts, code, stage, details, trace_id }, null)
}

export function formatEntryPlace({ envelope }: StoredEntry): string {
  return `${envelope.trajectory}/${envelope.seq}`
}

export function parseRejection(payload: string): RejectionPayload {
  return JSON.parse(payload) as RejectionPayload
}

export function parseApproval(payload: string): ApprovalPayload {
  return JSON.parse(payload) as ApprovalPayload
}
