/**
 * Waits until a flow is its agent's again, or over, and says what became of it.
 *
 * Boundary: it only reads. Whoever decides, here or in another process that shares the store, writes.
 */
import {
  type Answer,
  type DispatchPayload,
  err,
  type Failure,
  type FlowState,
  isReasonCode,
  isUndoStep,
  LIMITS,
  ok,
  REASONS,
  type ReasonCode,
  type Result,
} from 'rubicon-kernel'
import type { EntryKinds } from '../../ports/entry-kinds.ts'
import type { ExecutionRow, FlowRow, Store, StoredEntry } from '../../ports/store.ts'
import type { InSession } from '../authority/registry/in-session.ts'
import type { Context } from '../engine-context.ts'
import { loadExecution } from '../rows/all-executions.ts'
import { buildAcceptedAnswer, buildUnstoredAnswer } from '../rows/answer.ts'
import { buildFlowArchivedFailure, isArchived } from '../rows/archived-flow.ts'
import { buildFlowErasedFailure, isErased } from '../rows/erased-flow.ts'
import {
  buildRefusalAnswer,
  parseApproval,
  parseRejection,
  toDecisionAnswer,
  toEscalationAnswer,
  toRejectionAnswer,
} from './entry-answer.ts'

export type SettledOptions = InSession & {
  /** Ends the waiting; what is waited for goes on. */
  readonly signal?: AbortSignal
}

/** What became of a flow, as far as is known: without an answer somebody else still has to act. */
export type FlowOutcome = { readonly settled: boolean; readonly answer?: Answer }

export type OutcomeOptions = InSession & {
  /** How long it is waited for; what is waited for goes on. */
  readonly waitMs?: number
}

/** What stands last in a flow is looked for from the end, among so many at a time. */
const LAST_LOOKED_AT = 4
/** Entries that say what became of a proposal. */
const ANSWERING: EntryKinds = [
  'commit',
  'settle',
  'dispatch',
  'resend',
  'accepted',
  'rejection',
  'pending_approval',
  'approval',
]

/** Somebody else has to act before its agent can. */
const WAITING: readonly FlowState[] = ['VALIDATING', 'ESCALATED', 'ACCEPTED', 'EXECUTING']

export function isFlowWaiting({ state }: Pick<FlowRow, 'state'>): boolean {
  return WAITING.includes(state)
}

export async function awaitFlowSettled(
  context: Context,
  dfid: string,
  signal?: AbortSignal,
): Promise<Result<Answer, Failure>> {
  for (;;) {
    signal?.throwIfAborted()
    const flow = await context.store.readFlow(dfid)
    if (flow === null) return err(unknownFlow)
    if (!isFlowWaiting(flow)) return readLastAnswer(context, flow)
    await awaitNextLook(context, signal)
  }
}

/** The same, for so long: over the network nobody holds a connection until a person comes back. */
export async function awaitFlowOutcome(
  context: Context,
  dfid: string,
  { waitMs = 0 }: OutcomeOptions,
): Promise<Result<FlowOutcome, Failure>> {
  const timer = context.clock.after(waitMs)
  const late = new AbortController()
  void timer.elapsed.then(() => late.abort())
  try {
    for (;;) {
      const flow = await context.store.readFlow(dfid)
      if (flow === null) return err(unknownFlow)
      if (!isFlowWaiting(flow)) {
        const answer = await readLastAnswer(context, flow)
        return answer.ok ? ok({ settled: true, answer: answer.value }) : answer
      }
      if (waitMs <= 0 || late.signal.aborted) return ok({ settled: false })
      await awaitNextLook(context, late.signal)
    }
  } finally {
    timer.cancel()
  }
}

const { means, why, fix } = REASONS.FLOW_UNKNOWN
export const unknownFlow: Failure = { code: 'FLOW_UNKNOWN', summary: means, why, fix }

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
  if (isArchived(flow)) return err(buildFlowArchivedFailure(flow.dfid))
  // Nearly always it is among the last. All of a long flow takes seconds to read, and nothing is decided meanwhile.
  for (let first: StoredEntry | undefined; ; ) {
    const place = [LAST_LOOKED_AT, first?.envelope] as const
    const entries = await context.store.listFlowEntries(flow.dfid, ANSWERING, ...place)
    for (const entry of entries.toReversed()) {
      const answer = await buildEntryAnswer(context, flow, entry)
      if (answer !== null) return ok(answer)
    }
    if (entries.length < LAST_LOOKED_AT) break
    first = entries[0]
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
  const row = await loadLastSent(store, flow)
  if (row === null) return null
  if (row.status !== 'ABANDONED') return buildAcceptedAnswer(row, flow.attempts)
  const named = row.reason_code ?? ''
  const code: ReasonCode = isReasonCode(named) ? named : 'DISPATCH_EXPIRED'
  return buildRefusalAnswer(flow, `${row.trajectory}/${row.dispatched.seq}`, 'dispatch', code, {})
}

/**
 * The step that was sent last and takes nothing back. It is looked for from the end, a few entries at a time: of a flow that was
 * taken back the last are undoings, and all of its steps with their results take seconds to read.
 */
async function loadLastSent(store: Store, { dfid }: FlowRow): Promise<ExecutionRow | null> {
  for (let first: StoredEntry | undefined; ; ) {
    const place = [LAST_LOOKED_AT, first?.envelope] as const
    const sent = await store.listFlowEntries(dfid, ['dispatch', 'accepted'], ...place)
    const steps = sent.map(({ payload }) => parseSentStep(payload)).filter((id) => !isUndoStep(id))
    const rows = await Promise.all([...new Set(steps)].map((id) => loadExecution(store, dfid, id)))
    const [newest] = rows.filter((row) => row !== null).toSorted(compareByDispatch)
    if (newest !== undefined) return newest
    if (sent.length < LAST_LOOKED_AT) return null
    first = sent[0]
  }
}

/** Of an entry that our own kernel has written. */
function parseSentStep(payload: string | null): string {
  const { intent } = JSON.parse(payload ?? '{}') as Partial<DispatchPayload>
  return intent?.step_id ?? ''
}

function compareByDispatch(a: ExecutionRow, b: ExecutionRow): number {
  return b.dispatched.seq - a.dispatched.seq
}
