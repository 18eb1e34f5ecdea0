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
  REASONS,
  type ReasonCode,
  type RejectionPayload,
  type Result,
} from 'rubicon-kernel'
import type { ExecutionRow, FlowRow, StoredEntry } from '../ports/store.ts'
import { allExecutions } from './all-executions.ts'
import { acceptedAnswer, rejectedAnswer } from './answer.ts'
import type { Context } from './context.ts'
import type { InSession } from './registry/in-session.ts'
import { unstored } from './reject.ts'

export type SettledOptions = InSession & {
  /** Ends the waiting; what is waited for goes on. */
  readonly signal?: AbortSignal
}

/** Somebody else has to act before its agent can. */
const WAITING: readonly FlowState[] = ['VALIDATING', 'ESCALATED', 'ACCEPTED', 'EXECUTING']

export async function settled(
  context: Context,
  dfid: string,
  signal?: AbortSignal,
): Promise<Result<Answer, Failure>> {
  for (;;) {
    signal?.throwIfAborted()
    const flow = await context.store.flow(dfid)
    if (flow === null) return err(unknownFlow)
    if (!WAITING.includes(flow.state)) return ok(await lastAnswer(context, flow))
    await nextLook(context, signal)
  }
}

const { means, why, fix } = REASONS.FLOW_UNKNOWN
const unknownFlow: Failure = { code: 'FLOW_UNKNOWN', summary: means, why, fix }

async function nextLook({ clock }: Context, signal?: AbortSignal): Promise<void> {
  const timer = clock.after(LIMITS.settledLookMs)
  const aborted = Promise.withResolvers<void>()
  const stop = (): void => aborted.resolve()
  signal?.addEventListener('abort', stop)
  await Promise.race([timer.elapsed, aborted.promise])
  signal?.removeEventListener('abort', stop)
  timer.cancel()
}

/** The last word of the record about the flow, as an answer to its agent. */
async function lastAnswer(context: Context, flow: FlowRow): Promise<Answer> {
  const entries = await context.store.entriesOfFlow(flow.dfid)
  for (const entry of entries.toReversed()) {
    const answer = await answerOf(context, flow, entry)
    if (answer !== null) return answer
  }
  return unstored(flow.dfid, 'FLOW_NOT_OPEN', 'repeat', { state: flow.state })
}

async function answerOf(
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
      return executed(context, flow)
    case 'rejection':
      return refused(flow, entry, parseRejection(payload))
    case 'approval':
      return decided(flow, entry, parseApproval(payload))
    default:
      return null
  }
}

async function executed({ store }: Context, flow: FlowRow): Promise<Answer | null> {
  const rows = await allExecutions(store, { dfid: flow.dfid })
  const [row] = rows.filter(({ step_id }) => !isUndoStep(step_id)).toSorted(lastFirst)
  if (row === undefined) return null
  if (row.status !== 'ABANDONED') return acceptedAnswer(row, flow.attempts)
  const named = row.reason_code ?? ''
  const code: ReasonCode = isReasonCode(named) ? named : 'DISPATCH_EXPIRED'
  return refusal(flow, `${row.trajectory}/${row.dispatched.seq}`, 'dispatch', code, {})
}

function lastFirst(a: ExecutionRow, b: ExecutionRow): number {
  return b.dispatched.seq - a.dispatched.seq
}

function refused(
  flow: FlowRow,
  entry: StoredEntry,
  { reason_code, domain_code, stage, details, ended_flow }: RejectionPayload,
): Answer | null {
  if (!isReasonCode(reason_code)) return null
  const said = { dfid: flow.dfid, attempt: flow.attempts, code: reason_code, stage, details }
  const named = domain_code === undefined ? {} : { domain_code }
  return rejectedAnswer({ ...said, ...named, trace_id: placeOf(entry) }, ended_flow ?? null)
}

/** An approval of what was proposed is followed by what came of it; these are not. */
function decided(flow: FlowRow, entry: StoredEntry, { body }: ApprovalPayload): Answer | null {
  const { decision, approver, justification } = body
  const trace_id = placeOf(entry)
  switch (decision) {
    case 'EXPIRED':
      return refusal(flow, trace_id, 'queue', 'ESCALATION_EXPIRED', {})
    case 'ABORT':
      return refusal(flow, trace_id, 'queue', 'FLOW_CANCELLED', { approver, justification })
    default:
      return { dfid: flow.dfid, attempt: flow.attempts, outcome: 'ACCEPTED', trace_id }
  }
}

function refusal(
  { dfid, attempts }: FlowRow,
  trace_id: string,
  stage: 'queue' | 'dispatch',
  code: ReasonCode,
  details: JsonObject,
): Answer {
  return rejectedAnswer({ dfid, attempt: attempts, code, stage, details, trace_id }, null)
}

function placeOf({ envelope }: StoredEntry): string {
  return `${envelope.trajectory}/${envelope.seq}`
}

function parseRejection(payload: string): RejectionPayload {
  return JSON.parse(payload) as RejectionPayload
}

function parseApproval(payload: string): ApprovalPayload {
  return JSON.parse(payload) as ApprovalPayload
}
