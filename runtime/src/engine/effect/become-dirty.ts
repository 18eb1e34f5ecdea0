/**
 * A flow becomes dirty, in the unit of the outcome that made it so: it is recorded, counted against
 * its agent, told to people, and put before the agent that is to choose what is done about it.
 *
 * The runtime does not think about recovery. It opens a flow for whoever has to; where nobody is
 * above the agent, the notice is all there is, and a person settles it. Where the intent that failed says
 * what follows, that is begun in the same unit.
 */
import { findPinnedContract, type JsonObject, LIMITS, type SignedIntent } from 'rubicon-kernel'
import type { FlowRow, Unit } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { buildTimerUnit, findPendingTimer } from '../flow/timer-units.ts'
import { buildNoticeWrite } from '../notices/queue.ts'
import { countDirty } from '../rows/maintenance.ts'
import { toChoiceTimer } from '../saga/choice-timer.ts'
import { buildUntouchedDirtyGuard, openDirty, putDirty } from '../saga/dirty-record.ts'
import { buildSagaEntry } from '../saga/saga-entry.ts'
import { buildFixedCourse } from './fixed-course.ts'

export type Cause = {
  /** The step whose outcome it was. */
  readonly dfid: string
  readonly step_id: string
  readonly status: string
  readonly intent: SignedIntent
}

export async function becomeDirty(
  context: Context,
  flow: FlowRow,
  { intent, ...cause }: Cause,
  at: string,
): Promise<Unit> {
  const { dfid, agent_id } = flow
  const earlier = await openDirty(context.store, dfid)
  if (earlier !== null) return { guards: [buildUntouchedDirtyGuard(dfid, earlier)], writes: [] }
  // While it may still have happened nothing is begun; what follows is fixed all the same, and nobody chooses.
  const course = buildFixedCourse(context, flow, intent)
  const fixed = cause.status === 'FAILED' ? course : null
  const chooser = course === null ? await findChooser(context, flow, cause.dfid) : null
  const details: JsonObject = { ...cause, chooser }
  const report = chooser === null ? NOTHING : await reportTo(context, chooser, dfid, at)
  return {
    guards: [buildUntouchedDirtyGuard(dfid, null), ...report.guards],
    writes: [
      buildSagaEntry(context, flow, 'PARTIAL_SUCCESS_DIRTY', details),
      putDirty(dfid, {
        agent_id,
        since: at,
        cause: { dfid: cause.dfid, step_id: cause.step_id },
        ...(fixed?.record ?? UNCHOSEN),
      }),
      ...(fixed?.writes ?? []),
      countDirty(agent_id, 1),
      buildNoticeWrite({
        id: `${dfid}:dirty:${at}`,
        kind: 'dirty_flow',
        agent_id,
        dfid,
        reason_code: 'PARTIAL_SUCCESS_DIRTY',
        channel: 'operator',
        at,
        details,
      }),
      ...report.writes,
    ],
  }
}

/** A person has found that what was under review did not happen: what its intent fixed for that begins. */
export async function beginFixedCourse(
  context: Context,
  flow: FlowRow,
  { intent, dfid, step_id, status }: Cause,
): Promise<Unit> {
  const course = status === 'FAILED' ? buildFixedCourse(context, flow, intent) : null
  const record = course === null ? null : await openDirty(context.store, flow.dfid)
  if (course === null || record === null) return NOTHING
  const { cause, standing } = record.body
  if (standing !== 'open' || cause.dfid !== dfid || cause.step_id !== step_id) return NOTHING
  return {
    guards: [buildUntouchedDirtyGuard(flow.dfid, record)],
    writes: [putDirty(flow.dfid, { ...record.body, ...course.record }), ...course.writes],
  }
}

const UNCHOSEN = { standing: 'open', action: null, chosen: null } as const
const NOTHING: Unit = { guards: [], writes: [] }

/**
 * Where a flow below failed, the agent of this one manages the whole and chooses. Where it failed
 * itself, the agent above chooses. Null: a person.
 */
async function findChooser(
  { store, authorities }: Context,
  flow: FlowRow,
  causedIn: string,
): Promise<string | null> {
  if (causedIn !== flow.dfid) return flow.agent_id
  const above = flow.parent_dfid === null ? null : await store.readFlow(flow.parent_dfid)
  if (above !== null) return above.agent_id
  const authority = await authorities.loadAtLeast(flow.contract_seq)
  const pinned = findPinnedContract(authority, flow.agent_id, flow.contract_hash)
  return pinned?.contract.parent_agent ?? null
}

/** A timer that is due at once: it survives this process, and opens one flow. */
async function reportTo(
  context: Context,
  agent_id: string,
  dfid: string,
  at: string,
): Promise<Unit> {
  const name = toChoiceTimer(dfid)
  if ((await findPendingTimer(context, name)) !== null) return NOTHING
  const trigger = name.slice(0, LIMITS.triggerLength)
  return buildTimerUnit({ name, at, agent_id, trigger, state: [], steps: 'many', every_ms: null })
}
