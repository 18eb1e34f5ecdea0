/**
 * What becomes of requests by themselves: parents that did not answer, people who did not, approvals
 * whose engine ended before the release.
 *
 * Boundary: it decides nothing. That nobody decided in time is an abort, and is recorded as one.
 */
import {
  buildExpiryBody,
  type EscalationRequest,
  findChannelAgent,
  formatInstant,
  listToldChannels,
  parseInstant,
} from 'rubicon-kernel'
import { OPERATOR_CHANNEL } from '../../ports/notifier.ts'
import type { FlowRow, Write } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { buildParentObservationDrop } from '../escalate/ask.ts'
import { askParent, passOn } from '../escalate/parent.ts'
import { stopAgent, stopMarks } from '../escalate/stop-agents.ts'
import { returnBudget } from '../flow/return-budget.ts'
import { buildNoticeWrite } from '../notices/queue.ts'
import { processRows } from '../rows/each-row.ts'
import { moveFlow } from '../rows/flow-row.ts'
import {
  buildEndedEscalation,
  iterateStoredEscalations,
  type StoredEscalation,
} from '../rows/stored-escalation.ts'
import { vouch } from './approver.ts'
import { buildApprovalEntry } from './decision-unit.ts'
import { release } from './release.ts'

/** Returns how many requests were moved on. */
export async function sweepEscalations(context: Context): Promise<number> {
  const marks = await stopMarks(context)
  await processRows(context, 'escalations', marks, (mark) => stopAgent(context, mark))
  const moved = await processRows(
    context,
    'escalations',
    iterateStoredEscalations(context, 'open'),
    (stored) => advanceEscalation(context, stored),
  )
  const approved = iterateStoredEscalations(context, 'approved')
  const released = await processRows(context, 'escalations', approved, async ({ key }) => {
    return (await release(context, key)) !== null
  })
  return moved + released
}

async function advanceEscalation(context: Context, stored: StoredEscalation): Promise<boolean> {
  const { store } = context
  const { request, parent } = stored.body
  const flow = await store.readFlow(request.dfid)
  if (flow === null) return false
  const { now } = await store.readNow(flow.trajectory)
  if (flow.state !== 'ESCALATED') {
    const ended = buildEndedEscalation(stored, 'open', 'moot', now)
    const writes = [...ended.writes, ...buildParentObservationDrop(stored.body)]
    return (await store.commit({ ...ended, writes })).ok
  }
  if (isPast(request.expires_at, now)) return expire(context, stored, flow, now)
  if (parent === null || findChannelAgent(request.channel) === undefined) return false
  if (parent.dfid === null) await askParent(context, stored.key)
  else if (isPast(parent.until, now) || (await hasEnded(context, parent.dfid)))
    await passOn(context, stored.key)
  else return false
  return true
}

function isPast(at: string, now: string): boolean {
  return now >= formatInstant(parseInstant(at) ?? 0)
}

/** It ended without a decision: there is none to come. */
async function hasEnded({ store }: Context, dfid: string): Promise<boolean> {
  const state = (await store.readFlow(dfid))?.state
  return state === 'CLOSED' || state === 'ABORTED'
}

/** Whoever was asked hears that it is over; where that was an agent, an operator does. */
function buildExpiryNotices(request: EscalationRequest, at: string): readonly Write[] {
  const { id, agent_id, dfid, impact } = request
  const asked = listToldChannels(request)
  return (asked.length === 0 ? [OPERATOR_CHANNEL] : asked).map((channel) =>
    buildNoticeWrite({
      id: `expiry:${id}`,
      kind: 'expiry',
      agent_id,
      dfid,
      reason_code: 'ESCALATION_EXPIRED',
      channel,
      at,
      details: { request: id, impact },
    }),
  )
}

async function expire(
  context: Context,
  stored: StoredEscalation,
  flow: FlowRow,
  now: string,
): Promise<boolean> {
  const { request } = stored.body
  const body = buildExpiryBody(request)
  const signed = await vouch(context, body, 'runtime')
  const after = moveFlow(flow, ['ABORTED'], now)
  const ended = buildEndedEscalation(stored, 'open', 'expired', now)
  const { dfid, version } = flow
  const writes: Write[] = [
    buildApprovalEntry(context, flow, { body, ...signed, releases: null }),
    { kind: 'put_flow', flow: after },
    ...ended.writes,
    ...buildParentObservationDrop(stored.body),
    ...buildExpiryNotices(request, now),
  ]
  await context.failpoints.reach('decide.before_commit')
  const outcome = await context.store.commit({
    guards: [{ kind: 'flow_version', dfid, version }, ...ended.guards],
    writes: [...writes, ...(await returnBudget(context, flow, after, writes))],
  })
  await context.failpoints.reach('decide.after_commit')
  return outcome.ok
}
