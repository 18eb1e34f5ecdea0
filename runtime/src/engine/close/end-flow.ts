/** The two ways a flow ends without an effect: cancelled before dispatch, or closed by its agent. */
import {
  type ClosurePayload,
  err,
  type Failure,
  type FlowState,
  type FlowTag,
  LIMITS,
  ok,
  type Result,
  shorten,
  toCanonicalText,
} from 'rubicon-kernel'
import type { FlowRow, Write } from '../../ports/store.ts'
import { abandon } from '../effect/abandon.ts'
import type { Context } from '../engine-context.ts'
import { returnBudget } from '../flow/return-budget.ts'
import { buildContentionFailure } from '../rows/contention.ts'
import { moveFlow } from '../rows/flow-row.ts'
import { buildGovernorEntry } from '../rows/governor-entry.ts'
import { mintSalt } from '../rows/identity.ts'
import { parseIntent } from '../rows/stored-intent.ts'
import { buildFlowUnknownFailure } from '../rows/unknown-flow.ts'

/** VALIDATING: it waits for the others of its event. */
const CANCELLABLE: readonly FlowState[] = ['CREATED', 'ACTIVE', 'VALIDATING', 'ESCALATED']
const SETTLED: readonly FlowTag[] = ['NEEDS_REVIEW', 'COMPENSATED']

/** Nothing of it is on its way, and nothing that was is uncertain. */
export function isCancellable({ state, tags }: FlowRow): boolean {
  // A review that waits for a person has escalated the flow; any other is only an opinion. What was
  // taken back is over.
  const isSettled = (tag: FlowTag): boolean => SETTLED.includes(tag) && state !== 'ESCALATED'
  return CANCELLABLE.includes(state) && tags.every(isSettled)
}

/** Until dispatch nothing has left the process, so a flow can simply end. */
export async function cancelFlow(
  context: Context,
  dfid: string,
  reason: string,
): Promise<Result<void, Failure>> {
  if (await cancelAccepted(context, dfid, reason)) return ok(undefined)
  return endFlow(context, dfid, 'ABORTED', (flow) => {
    if (!isCancellable(flow)) return buildTooLateFailure(flow)
    return [
      buildGovernorEntry(context, flow, 'FLOW_CANCELLED', {
        reason: shorten(reason, LIMITS.wordsLength),
      }),
    ]
  })
}

export function closeFlow(context: Context, dfid: string): Promise<Result<void, Failure>> {
  return endFlow(context, dfid, 'CLOSED', (flow) =>
    flow.state === 'ACTIVE' ? [buildClosureEntry(context, flow)] : buildTooLateFailure(flow),
  )
}

/** Without it nothing but a row would say that the flow has ended, or that it has not. */
function buildClosureEntry(context: Context, { trajectory, dfid }: FlowRow): Write {
  const payload: ClosurePayload = { salt: mintSalt(context), source: 'agent', finding: 'closed' }
  const text = toCanonicalText(payload)
  return { kind: 'append', trajectory, entry: 'evidence', dfid, payload: text }
}

async function endFlow(
  context: Context,
  dfid: string,
  to: FlowState,
  decide: (flow: FlowRow) => readonly Write[] | Failure,
): Promise<Result<void, Failure>> {
  for (let attempt = 0; attempt < LIMITS.unitAttempts; attempt++) {
    const flow = await context.store.readFlow(dfid)
    if (flow === null) return err(buildFlowUnknownFailure(dfid))
    const decided = decide(flow)
    if ('code' in decided) return err(decided)
    const { now } = await context.store.readNow(flow.trajectory)
    const after = moveFlow(flow, [to], now)
    const writes: Write[] = [...decided, { kind: 'put_flow', flow: after }]
    const returned = await returnBudget(context, flow, after, writes)
    const outcome = await context.store.commit({
      guards: [{ kind: 'flow_version', dfid, version: flow.version }],
      writes: [...writes, ...returned],
    })
    if (outcome.ok) return ok(undefined)
  }
  return err(buildContentionFailure('the flow'))
}

/** What was accepted and not dispatched gives everything back. False: there is no such thing. */
async function cancelAccepted(context: Context, dfid: string, reason: string): Promise<boolean> {
  const { store } = context
  const details = { reason: shorten(reason, LIMITS.wordsLength) }
  for (let attempt = 0; attempt < LIMITS.unitAttempts; attempt++) {
    // The flow first: by its version what is read after it is what stands. Each intent of a step begins with the same version.
    const flow = await store.readFlow(dfid)
    const [execution] = await store.listExecutions({ dfid, status: ['ACCEPTED'], limit: 1 })
    if (execution === undefined || flow === null) return false
    const accepted = { intent: parseIntent(execution.intent), execution, flow }
    const refusal = { code: 'FLOW_CANCELLED', details } as const
    if ((await abandon(context, accepted, refusal, true)) !== null) return true
  }
  return false
}

function buildTooLateFailure(flow: FlowRow): Failure {
  return {
    code: 'FLOW_NOT_OPEN',
    summary: `the flow is ${flow.state}`,
    why: 'what was dispatched cannot be called back by ending its flow',
    fix: 'wait for the outcome; see `rubicon flows show`',
  }
}
