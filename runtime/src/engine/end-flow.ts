/** The two ways a flow ends without an effect: cancelled before dispatch, or closed by its agent. */
import {
  canonicalText,
  err,
  type Failure,
  type FlowState,
  type JsonValue,
  LIMITS,
  ok,
  type RejectionPayload,
  type Result,
} from 'rubicon-kernel'
import type { FlowRow, Write } from '../ports/store.ts'
import type { Context } from './context.ts'
import { moveFlow } from './flow-row.ts'
import { mintSalt } from './identity.ts'
import { returnBudget } from './return-budget.ts'

const CANCELLABLE: readonly FlowState[] = ['CREATED', 'ACTIVE', 'ESCALATED']

/** Until dispatch nothing has left the process, so a flow can simply end. */
export function cancelFlow(
  context: Context,
  dfid: string,
  reason: string,
): Promise<Result<void, Failure>> {
  return endFlow(context, dfid, 'ABORTED', (flow) => {
    if (!CANCELLABLE.includes(flow.state) || flow.tags.length > 0) return tooLate(flow)
    return [cancellation(context, flow, reason)]
  })
}

export function closeFlow(context: Context, dfid: string): Promise<Result<void, Failure>> {
  return endFlow(context, dfid, 'CLOSED', (flow) => (flow.state === 'ACTIVE' ? [] : tooLate(flow)))
}

async function endFlow(
  context: Context,
  dfid: string,
  to: FlowState,
  decide: (flow: FlowRow) => readonly Write[] | Failure,
): Promise<Result<void, Failure>> {
  for (let attempt = 0; attempt < LIMITS.unitAttempts; attempt++) {
    const flow = await context.store.flow(dfid)
    if (flow === null)
      return err({
        code: 'FLOW_UNKNOWN',
        summary: `there is no flow \`${dfid}\``,
        fix: 'check the dfid',
      })
    const decided = decide(flow)
    if ('code' in decided) return err(decided)
    const { now } = await context.store.now(flow.trajectory)
    const after = moveFlow(flow, [to], now)
    const writes: Write[] = [...decided, { kind: 'put_flow', flow: after }]
    const returned = await returnBudget(context, flow, after, writes)
    const outcome = await context.store.commit({
      guards: [{ kind: 'flow_version', dfid, version: flow.version }],
      writes: [...writes, ...returned],
    })
    if (outcome.ok) return ok(undefined)
  }
  return err({ code: 'STORE_CONTENTION', summary: 'the flow kept changing', fix: 'try again' })
}

function tooLate(flow: FlowRow): Failure {
  return {
    code: 'FLOW_NOT_OPEN',
    summary: `the flow is ${flow.state}`,
    why: 'what was dispatched cannot be called back by ending its flow',
    fix: 'wait for the outcome; see `rubicon flows show`',
  }
}

function cancellation(context: Context, flow: FlowRow, reason: string): Write {
  const payload: RejectionPayload = {
    salt: mintSalt(context),
    attempt: flow.attempts,
    received: '',
    trace: [],
    stage: 'queue',
    gate: null,
    reason_code: 'FLOW_CANCELLED',
    details: { reason: reason.toWellFormed().slice(0, 1024) },
  }
  return {
    kind: 'append',
    trajectory: flow.trajectory,
    entry: 'rejection',
    dfid: flow.dfid,
    payload: canonicalText(payload as unknown as JsonValue),
  }
}
