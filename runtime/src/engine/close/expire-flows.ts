/**
 * Flows that nobody can move any more. A flow whose proposals were refused, or whose agent is gone, stays
 * ACTIVE; once its own writ has ended nothing in it can pass again, and it ends by rule.
 *
 * X1 only an ACTIVE flow expires: what waits for a person, or is on its way, ends by what it waits for.
 * X2 a flow with an effect that is open, a child that is open, or half a job that nobody has put right,
 *    is left alone until that is over. Children end first, since their writs end no later.
 * X3 it is one unit: the entry that says so, the row, and what a child held of its parent's budget.
 */
import {
  type ExecutionStatus,
  type JsonObject,
  LIMITS,
  MAIN,
  OPEN_FLOW_STATES,
} from 'rubicon-kernel'
import type { FlowRow, Unit, Write } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { returnBudget } from '../flow/return-budget.ts'
import { processRows } from '../rows/each-row.ts'
import { moveFlow } from '../rows/flow-row.ts'
import { buildGovernorEntry } from '../rows/governor-entry.ts'
import { isCancellable } from './end-flow.ts'

/** Ends every flow whose time is over; returns how many. */
export async function expireFlows(context: Context): Promise<number> {
  const { now } = await context.store.readNow(MAIN)
  return processRows(context, 'expiry', iterateExpiredFlows(context, now), async (flow) => {
    if (!isCancellable(flow) || (await isBusy(context, flow.dfid))) return false
    const { opened_at, expires_at: expired_at } = flow
    return endFlowByRule(context, flow, 'FLOW_EXPIRED', { opened_at, expired_at })
  })
}

async function* iterateExpiredFlows({ store }: Context, until: string): AsyncGenerator<FlowRow> {
  const limit = LIMITS.entriesPerPage
  let beyond: FlowRow | undefined
  for (;;) {
    const place = beyond === undefined ? {} : { beyond }
    const page = await store.listExpiredFlows({ until, limit, ...place })
    yield* page
    beyond = page.at(-1)
    if (page.length < limit) return
  }
}

const OPEN_EFFECTS: readonly ExecutionStatus[] = [
  'ACCEPTED',
  'DISPATCHED',
  'UNKNOWN',
  'NOT_APPLIED',
  'MANUAL_REVIEW',
]

/** An effect that is open, or a child. */
export async function isBusy({ store }: Context, dfid: string): Promise<boolean> {
  const effects = await store.listExecutions({ dfid, status: OPEN_EFFECTS, limit: 1 })
  if (effects.length > 0) return true
  const children = await store.listFlowSummaries({
    parent_dfid: dfid,
    state: OPEN_FLOW_STATES,
    limit: 1,
  })
  return children.length > 0
}

/** False: it moved meanwhile. Whoever opens a child or accepts a step moves it. */
export async function endFlowByRule(
  context: Context,
  flow: FlowRow,
  code: 'FLOW_EXPIRED' | 'WAKE_EXPIRED',
  details: JsonObject,
  beside: Unit = { guards: [], writes: [] },
): Promise<boolean> {
  const { store } = context
  const { dfid, version } = flow
  const { now } = await store.readNow(flow.trajectory)
  const after = moveFlow(flow, ['ABORTED'], now)
  const writes: Write[] = [
    buildGovernorEntry(context, flow, code, details, code),
    { kind: 'put_flow', flow: after },
  ]
  const outcome = await store.commit({
    guards: [{ kind: 'flow_version', dfid, version }, ...beside.guards],
    writes: [...writes, ...(await returnBudget(context, flow, after, writes)), ...beside.writes],
  })
  return outcome.ok
}
