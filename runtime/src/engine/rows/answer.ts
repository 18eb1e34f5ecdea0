/** Turns what the kernel said into what the agent hears. */
import {
  type Answer,
  deriveDisposition,
  deriveEscalatedDisposition,
  type Ending,
  type EscalationRequest,
  isSettled,
  type JsonObject,
  REASONS,
  type ReasonCode,
} from 'rubicon-kernel'
import type { ExecutionRow } from '../../ports/store.ts'

type Refused = {
  readonly dfid: string
  readonly attempt: number
  readonly code: ReasonCode
  readonly domain_code?: string
  readonly stage: NonNullable<Answer['stage']>
  readonly details: JsonObject
  readonly trace_id: string
}

function buildFeedback(code: ReasonCode, details: JsonObject): NonNullable<Answer['feedback']> {
  const { means, why, fix, transient } = REASONS[code]
  return { summary: means, why, fix, details, transient }
}

/** Endings that the refusal itself brought about: it says why. */
const AT_ONCE: ReadonlySet<Ending> = new Set<Ending>([
  'AUTHORITY_REVOKED',
  'SEMANTIC_MISMATCH',
  'FLOW_EXPIRED',
  'EVENT_HALTED',
  'PREEMPTED',
  'WAKE_EXPIRED',
  'REJECT_AUTH',
  'REJECT_CONTEXT',
  'REJECT_DRIFT',
  'REJECT_HASH',
])

/** A flow that ran out of tries is told so; one that ends at once hears the reason itself. */
export function buildRejectedAnswer(refused: Refused, ending: Ending | null): Answer {
  const ended = ending === null || AT_ONCE.has(ending) ? null : ending
  const { code, domain_code, stage, dfid, attempt, trace_id } = refused
  const named = ended ?? code
  const { gate } = REASONS[code]
  return {
    dfid,
    attempt,
    outcome: ended === null ? 'REJECTED' : 'EXHAUSTED',
    disposition: ended === null ? deriveDisposition(code) : 'hard_stop',
    reason_code: ended ?? domain_code ?? code,
    ...(gate === null ? {} : { gate }),
    stage,
    feedback: buildFeedback(named, buildRejectionDetails(refused, ending)),
    trace_id,
  }
}

/** Answers that leave no trace: nothing was judged. */
export function buildUnstoredAnswer(
  dfid: string,
  code: ReasonCode,
  stage: NonNullable<Answer['stage']>,
  details: JsonObject,
): Answer {
  return buildRejectedAnswer({ dfid, attempt: 0, code, stage, details, trace_id: '' }, null)
}

function buildRejectionDetails({ code, details }: Refused, ending: Ending | null): JsonObject {
  if (ending === null) return details
  if (AT_ONCE.has(ending)) return { ...details, ended_flow: ending }
  return { last_rejection: code, ...details }
}

type SuspendedFor = {
  readonly code: ReasonCode
  readonly domain_code?: string
  readonly details: JsonObject
  readonly channel: string
}

/** What its agent hears of a request. */
export function toSuspended({
  id,
  reason_code: code,
  domain_code,
  triggers,
  channel,
  impact,
}: Pick<
  EscalationRequest,
  'id' | 'reason_code' | 'domain_code' | 'triggers' | 'channel' | 'impact'
>): SuspendedFor {
  const first = triggers.find((trigger) => trigger.code === code)
  const details = { ...first?.details, request: id, channel, impact }
  return { code, ...(domain_code === undefined ? {} : { domain_code }), details, channel }
}

export function buildEscalatedAnswer(
  dfid: string,
  attempt: number,
  suspended: SuspendedFor,
  trace_id: string,
): Answer {
  const { code, domain_code, details, channel } = suspended
  return {
    dfid,
    attempt,
    outcome: 'ESCALATED',
    disposition: deriveEscalatedDisposition(channel),
    reason_code: domain_code ?? code,
    stage: 'policy',
    feedback: buildFeedback(code, details),
    trace_id,
  }
}

const PENDING: readonly ExecutionRow['status'][] = ['ACCEPTED', 'DISPATCHED', 'NOT_APPLIED']

/** How an execution looks from outside. Until it is settled, that is PENDING or UNKNOWN. */
export function toAnswerExecution(row: ExecutionRow): NonNullable<Answer['execution']> {
  const status = PENDING.includes(row.status) ? 'PENDING' : row.status
  return {
    status,
    ...(row.reason_code === null ? {} : { reason_code: row.reason_code }),
    ...(row.status === 'FAILED' && row.details !== null ? { details: row.details } : {}),
    ...(isSettled(row.status) && row.result !== null ? { result: row.result } : {}),
    ...(row.receipt === null ? {} : { receipt: row.receipt }),
  }
}

export function buildAcceptedAnswer(row: ExecutionRow, attempt: number): Answer {
  return { ...buildExecutedAnswer(row, attempt), outcome: 'ACCEPTED' }
}

export function buildRepeatedAnswer(row: ExecutionRow, attempt: number): Answer {
  return { ...buildExecutedAnswer(row, attempt), outcome: 'REPEATED' }
}

function buildExecutedAnswer(row: ExecutionRow, attempt: number): Omit<Answer, 'outcome'> {
  const { trajectory, seq } = row.dispatched
  return {
    dfid: row.dfid,
    attempt,
    trace_id: `${trajectory}/${seq}`,
    execution: toAnswerExecution(row),
  }
}
