/**
 * Waits until a flow is its agent's again, or over, and says what became of it.
 *
 * Boundary: it only reads. Whoever decides, here or in another process that shares the store, writes.
 */
import {
  type Answer,
  type ApprovalPayload,
  err,
  type Failure,
  type FlowState,
  isReasonCode,
  isUndoStep,
  type JsonObject,
  LIMITS,
  ok,
  type PendingApprovalPayload,
  REASONS,
  type ReasonCode,
  type RejectionPayload,
  type Result,
} from 'rubicon-kernel'
import type { ExecutionRow, FlowRow, StoredEntry } from '../../ports/store.ts'
import type { InSession } from '../authority/registry/in-session.ts'
import type { Context } from '../engine-context.ts'
import { readAllExecutions } from '../rows/all-executions.ts'
import {
  buildAcceptedAnswer,
  buildEscalatedAnswer,
  buildRejectedAnswer,
  buildUnstoredAnswer,
  toSuspended,
} from '../rows/answer.ts'
import { buildFlowErasedFailure, isErased } from '../rows/erased-flow.ts'

export type SettledOptions = InSession & {
  /** Ends the waiting; what is waited for goes on. */
  readonly signal?: AbortSignal
}

/** Somebody else has to act before its agent can. */
const WAITING: readonly FlowState[] = ['VALIDATING', 'ESCALATED', 'ACCEPTED', 'EXECUTING']

export async function awaitFlowSettled(
  context: Context,
  dfid: string,
  signal?: AbortSignal,
): Promise<Result<Answer, Failure>> {
  for (;;) {
    signal?.throwIfAborted()
    const flow = await context.store.readFlow(dfid)
    if (flow === null) return err(unknownFlow)
    if (!WAITING.includes(flow.state)) return readLastAnswer(context, flow)
    await awaitNextLook(context, signal)
  }
}

/** What has become of it so far, without waiting. */
export async function readFlowAnswer(
  context: Context,
  dfid: string,
): Promise<Result<Answer, Failure>> {
  const flow = await context.store.readFlow(dfid)
  return flow === null ? err(unknownFlow) : readLastAnswer(context, flow)
}

const { means, why, fix } = REASONS.FLOW_UNKNOWN
const unknownFlow: Failure = { code: 'FLOW_UNKNOWN', summary: means, why, fix }

async function awaitNextLook({ clock }: Context, signal?: AbortSignal): Promise<void> {
  const timer = clock.after(LIMITS.settledLookMs)
  const aborted = Promise.withResolvers<void>()
  const stop = (): void => aborted.resolve()
  signal?.addEventListener('abort', stop)
  await Promise.race([timer.elapsed, aborted.promise])
  signal?.removeEventListener('abort', stop)
  timer.cancel()
}

/** The last word of the record about the flow, as an answer to its agent. */
async function readLastAnswer(context: Context, flow: FlowRow): Promise<Result<Answer, Failure>> {
  // Without its words nothing is known to have been refused: whoever heard so would do it again.
  if (isErased(flow)) return err(buildFlowErasedFailure(flow.dfid))
  const entries = await context.store.listFlowEntries(flow.dfid)
  for (const entry of entries.toReversed()) {
    const answer = await buildEntryAnswer(context, flow, entry)
    if (answer !== null) return ok(answer)
  }
  return ok(buildUnstoredAnswer(flow.dfid, 'FLOW_NOT_OPEN', 'repeat', { state: flow.state }))
}

async function buildEntryAnswer(
  context: Context,
  flow: FlowRow,
  entry: StoredEntry,
): Promise<Answer | null> {
  const { envelope, payload } = entry
  if (payload === null) return null
  switch (envelope.kind) {
    case 'commit':
    case 'settle':
    case 'dispatch':
    case 'resend':
    case 'accepted':
      return loadExecutedAnswer(context, flow)
    case 'rejection':
      return toRejectionAnswer(flow, entry, parseRejection(payload))
    case 'pending_approval':
      return flow.state === 'ESCALATED' ? toEscalationAnswer(flow, entry, payload) : null
    case 'approval':
      return toDecisionAnswer(flow, entry, parseApproval(payload))
    default:
      return null
  }
}

async function loadExecutedAnswer({ store }: Context, flow: FlowRow): Promise<Answer | null> {
  const rows = await readAllExecutions(store, { dfid: flow.dfid })
  const [row] = rows.filter(({ step_id }) => !isUndoStep(step_id)).toSorted(compareByDispatch)
  if (row === undefined) return null
  if (row.status !== 'ABANDONED') return buildAcceptedAnswer(row, flow.attempts)
  const named = row.reason_code ?? ''
  const code: ReasonCode = isReasonCode(named) ? named : 'DISPATCH_EXPIRED'
  return buildRefusalAnswer(flow, `${row.trajectory}/${row.dispatched.seq}`, 'dispatch', code, {})
}

function compareByDispatch(a: ExecutionRow, b: ExecutionRow): number {
  return b.dispatched.seq - a.dispatched.seq
}

function toRejectionAnswer(
  flow: FlowRow,
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

function toEscalationAnswer(flow: FlowRow, entry: StoredEntry, payload: string): Answer {
  const { request } = JSON.parse(payload) as PendingApprovalPayload
  return buildEscalatedAnswer(
    flow.dfid,
    request.attempt,
    toSuspended(request),
    formatEntryPlace(entry),
  )
}

/** An approval of what was proposed is followed by what came of it; these are not. */
function toDecisionAnswer(
  flow: FlowRow,
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

function buildRefusalAnswer(
  { dfid, attempts }: FlowRow,
  trace_id: string,
  stage: 'queue' | 'dispatch',
  code: ReasonCode,
  details: JsonObject,
): Answer {
  return buildRejectedAnswer({ dfid, attempt: attempts, code, stage, details, trace_id }, null)
}

function formatEntryPlace({ envelope }: StoredEntry): string {
  return `${envelope.trajectory}/${envelope.seq}`
}

function parseRejection(payload: string): RejectionPayload {
  return JSON.parse(payload) as RejectionPayload
}

function parseApproval(payload: string): ApprovalPayload {
  return JSON.parse(payload) as ApprovalPayload
}
