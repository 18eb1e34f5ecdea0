/**
 * A person settles a dirty flow as a whole, with everything that stands below it.
 *
 * W1 what may still happen, or be taken back, is found out first.
 * W2 what is settled is not taken back by anybody: the ledger names it, in the same unit.
 * W3 sagas above that waited for it go on with that unit.
 */
import {
  err,
  type Failure,
  isSettled,
  LIMITS,
  ok,
  type Result,
  type SagaStanding,
  toUndoStep,
} from 'rubicon-kernel'
import type { ExecutionRow } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { buildContentionFailure } from '../rows/contention.ts'
import { addTag, moveFlow, removeTag } from '../rows/flow-row.ts'
import { computeReviewedTags } from '../rows/reviewed-tags.ts'
import { buildUntouchedDirtyGuard, endDirty, openDirty } from '../saga/dirty-record.ts'
import { loadSaga, type Saga } from '../saga/load-saga.ts'
import { checkResolution, type Resolution, toResolutionDetails } from '../saga/resolution.ts'
import { buildResumedSagas } from '../saga/resumed-sagas.ts'
import { buildSagaEntry } from '../saga/saga-entry.ts'
import { buildNotUndoneGuard, settleEffect } from '../saga/settled-effect.ts'

/** A dirty flow that a person has put right, or leaves as it is. */
export async function resolveDirty(
  context: Context,
  dfid: string,
  resolution: Resolution,
): Promise<Result<SagaStanding, Failure>> {
  const { store, failpoints } = context
  const problem = checkResolution(resolution)
  if (problem !== null) return err(problem)
  if (resolution.outcome === 'not_applied') return err(notACompensation)
  const compensated = resolution.outcome === 'applied'
  const standing = compensated ? 'compensated' : 'settled'
  for (let attempt = 0; attempt < LIMITS.unitAttempts; attempt++) {
    const record = await openDirty(store, dfid)
    const saga = await loadSaga(context, dfid)
    if (saga === null || record === null) return err(buildNotDirtyFailure(dfid))
    const open = listStepsUnderWay(saga)
    if (open.length > 0) return err(buildCompensationWaitsFailure(dfid, open))
    const { flow, flows } = saga
    const settled = saga.steps.filter(mayStand)
    const { now } = await store.readNow(flow.trajectory)
    const left = await computeReviewedTags(context, flow, removeTag(flow.tags, 'DIRTY'))
    const tags = compensated ? addTag(left, 'COMPENSATED') : left
    const after = moveFlow(flow, [], now, { tags })
    const resumed = await buildResumedSagas(context, flow.parent_dfid)
    await failpoints.reach('compensate.before_finish')
    const outcome = await store.commit({
      guards: [
        buildUntouchedDirtyGuard(dfid, record),
        // With every outcome its flow moves on: what is settled here is all that stands.
        ...flows.map(({ dfid, version }) => ({ kind: 'flow_version', dfid, version }) as const),
        ...settled.filter(({ row }) => !saga.undoing.some(isUndoOf(row))).map(buildNotUndoneGuard),
        ...resumed.guards,
      ],
      writes: [
        buildSagaEntry(
          context,
          flow,
          compensated ? 'COMPENSATED' : 'SETTLED',
          toResolutionDetails(resolution),
          settled.map(({ intent_id }) => intent_id),
        ),
        { kind: 'put_flow', flow: after },
        ...settled.map(settleEffect),
        ...endDirty(record, standing),
        ...resumed.writes,
      ],
    })
    await failpoints.reach('compensate.after_finish')
    if (outcome.ok) return ok(standing)
  }
  return err(buildContentionFailure('the flow'))
}

type Step = Pick<ExecutionRow, 'dfid' | 'step_id' | 'status'>

/**
 * Whatever may still happen: a person does not settle what is not known yet. An effect under review is
 * with a person already; an undoing under review is settled by itself first, and keeps what it holds
 * until then.
 */
function listStepsUnderWay({ steps, undoing }: Saga): readonly Step[] {
  const effects = steps.filter(({ status }) => !isSettled(status) && status !== 'MANUAL_REVIEW')
  return [...effects, ...undoing.filter(({ status }) => !isSettled(status))]
}

/** It has succeeded, or a person may still find that it has. */
function mayStand({ status }: Step): boolean {
  return status === 'SUCCESS' || status === 'MANUAL_REVIEW'
}

/** An undoing that failed, or was given up, does not come back. */
function isUndoOf({ dfid, step_id }: Step): (undo: Step) => boolean {
  return (undo) => undo.dfid === dfid && undo.step_id === toUndoStep(step_id)
}

function buildCompensationWaitsFailure(dfid: string, steps: readonly Step[]): Failure {
  const names = steps.map(({ dfid, step_id, status }) => `\`${dfid}:${step_id}\` (${status})`)
  return {
    code: 'COMPENSATION_WAITS',
    summary: `flow \`${dfid}\` waits for ${names.join(', ')}`,
    why: 'an effect that may still happen, or be undone, could be corrected twice',
    fix: 'wait until it is known; settle what is in MANUAL_REVIEW with `rubicon executions resolve DFID STEP` first',
  }
}

function buildNotDirtyFailure(dfid: string): Failure {
  return {
    code: 'FLOW_NOT_DIRTY',
    summary: `flow \`${dfid}\` is not dirty`,
    fix: 'see `rubicon flows show`',
  }
}

const notACompensation: Failure = {
  code: 'RESOLUTION_INVALID',
  summary: 'a dirty flow is compensated, or left as it is',
  fix: 'say `applied` if it was corrected by hand, or `abandon`',
}
