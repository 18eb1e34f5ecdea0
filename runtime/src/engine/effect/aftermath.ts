/**
 * What the outcome of one step means for its flow and for the one above, beyond the step itself:
 * half a job is noticed, or put right by a person, in the unit that records the outcome.
 */
import type { SignedIntent } from 'rubicon-kernel'
import type { ExecutionRow, FlowRow, Unit } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { buildNoticeWrite } from '../notices/queue.ts'
import { addTag, moveFlow } from '../rows/flow-row.ts'
import { buildUntouchedDirtyGuard, endDirty, openDirty } from '../saga/dirty-record.ts'
import { hasFailedSince, hasSucceeded } from '../saga/effects.ts'
import { buildUnmoved, type WatchedFlow, type WatchedFlows } from '../saga/outcome-counts.ts'
import { buildSagaEntry } from '../saga/saga-entry.ts'
import { becomeDirty, beginFixedCourse } from './become-dirty.ts'

export type SettledOutcome = {
  readonly intent: SignedIntent
  readonly execution: ExecutionRow
  readonly before: FlowRow
  readonly after: FlowRow
  readonly watched: WatchedFlows
}

const NOTHING: Unit = { guards: [], writes: [] }

export async function buildAftermathUnit(context: Context, outcome: SettledOutcome): Promise<Unit> {
  const units = [buildNoticeUnit(outcome)]
  // Taking back is not half of a job; what becomes of it is for the saga.
  if (outcome.intent.compensation === undefined) {
    units.push(await buildOwnFlowUnit(context, outcome))
    for (const one of outcome.watched.above)
      units.push(await buildFlowAboveUnit(context, one, outcome))
  }
  return {
    guards: units.flatMap(({ guards }) => guards),
    writes: units.flatMap(({ writes }) => writes),
  }
}

function buildNoticeUnit({ intent, execution, after }: SettledOutcome): Unit {
  const { status, dfid, policy_kind, version } = execution
  // Half a job has a notice of its own.
  const isTold = status === 'FAILED' && intent.on_failure === 'ALERT_HUMAN' && !isDirty(after)
  if (status !== 'MANUAL_REVIEW' && !isTold) return NOTHING
  const write = buildNoticeWrite({
    id: `${intent.intent_id}:${version}`,
    kind: 'manual_review',
    agent_id: after.agent_id,
    dfid,
    reason_code: execution.reason_code ?? 'MANUAL_REVIEW_REQUIRED',
    channel: 'operator',
    at: after.updated_at,
    details: { policy_kind },
  })
  return { guards: [], writes: [write] }
}

function isDirty({ tags }: FlowRow): boolean {
  return tags.includes('DIRTY')
}

async function buildOwnFlowUnit(
  context: Context,
  { intent, execution, before, after, watched }: SettledOutcome,
): Promise<Unit> {
  const was = isDirty(before)
  const is = isDirty(after)
  const { dfid, step_id, status } = execution
  const cause = { dfid, step_id, status, intent }
  if (is && !was) return becomeDirty(context, after, cause, after.updated_at)
  if (was && !is) return buildSettledUnit(context, after)
  if (is) return beginFixedCourse(context, after, cause)
  return { guards: watched.own.flatMap(({ unchanged }) => unchanged), writes: [] }
}

/** A person says how it is: there is nothing half done. */
async function buildSettledUnit(context: Context, flow: FlowRow): Promise<Unit> {
  const record = await openDirty(context.store, flow.dfid)
  if (record === null) return NOTHING
  return {
    guards: [buildUntouchedDirtyGuard(flow.dfid, record)],
    writes: [buildSagaEntry(context, flow, 'SETTLED', {}), ...endDirty(record, 'settled')],
  }
}

/** A flow above, of which one part is done and another is not. */
async function buildFlowAboveUnit(
  context: Context,
  { flow, unchanged }: WatchedFlow,
  { intent, execution, after }: SettledOutcome,
): Promise<Unit> {
  const { dfid, step_id, status } = execution
  const unmoved = buildUnmoved(flow)
  if (flow.tags.includes('DIRTY')) return { guards: [unmoved], writes: [] }
  if (!(await isHalfDone(context, flow, execution))) return { guards: unchanged, writes: [] }
  const tags = addTag(flow.tags, 'DIRTY')
  const dirty = moveFlow(flow, [], after.updated_at, { tags })
  const unit = await becomeDirty(
    context,
    dirty,
    { dfid, step_id, status, intent },
    after.updated_at,
  )
  return {
    guards: [unmoved, ...unit.guards],
    writes: [{ kind: 'put_flow', flow: dirty }, ...unit.writes],
  }
}

async function isHalfDone(
  context: Context,
  above: FlowRow,
  { dfid, status, dispatched_at }: ExecutionRow,
): Promise<boolean> {
  if (status === 'FAILED') return hasSucceeded(context, above, dfid)
  return status === 'SUCCESS' && (await hasFailedSince(context, above, dfid, dispatched_at))
}
