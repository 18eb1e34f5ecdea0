/**
 * Carries a choice out: one effect after the other is taken back, the last one first. Everything
 * that it goes by stands in the store, so that whoever finds a saga unfinished goes on with it.
 *
 * Z1 nothing is undone while an effect, or another undoing, has no outcome.
 * Z2 an effect is undone once: its step of the compensation is claimed like any other.
 * Z3 what is stuck goes to a person, and its agent stays in maintenance until that is settled.
 */
import { type JsonObject, LIMITS, planUndo, type SagaStanding } from 'rubicon-kernel'
import type { FlowRow, Guard, Write } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { buildNoticeWrite } from '../notices/queue.ts'
import { processRows } from '../rows/each-row.ts'
import { addTag, moveFlow, removeTag } from '../rows/flow-row.ts'
import { computeReviewedTags } from '../rows/reviewed-tags.ts'
import {
  buildUntouchedDirtyGuard,
  type DirtyFlow,
  endDirty,
  listDirtyFlows,
  openDirty,
  putDirty,
} from '../saga/dirty-record.ts'
import { loadSaga, type Saga, toSagaTerms } from '../saga/load-saga.ts'
import { buildSagaEntry } from '../saga/saga-entry.ts'
import { undoEffect } from './undo.ts'

/** Goes on with everything that was chosen and is not over. */
export async function continueSagas(context: Context): Promise<void> {
  let after = ''
  for (;;) {
    const page = await listDirtyFlows(context.store, after, LIMITS.entriesPerPage)
    const chosen = page.filter(({ body }) => body.standing === 'compensating')
    await processRows(context, 'sagas', chosen, async ({ key }) => {
      return (await continueSaga(context, key)) !== 'compensating'
    })
    after = page.at(-1)?.key ?? after
    if (page.length < LIMITS.entriesPerPage) return
  }
}

/** As far as it goes now; returns where the flow then stands. */
export async function continueSaga(context: Context, dfid: string): Promise<SagaStanding> {
  for (let step = 0; ; step++) {
    const saga = await loadSaga(context, dfid)
    const { standing, action } = saga?.record?.body ?? { standing: 'settled' as const, action: '' }
    if (saga === null || saga.record === null || standing !== 'compensating') return standing
    if (step >= LIMITS.unitAttempts) return standing
    const stuck = saga.undoing.find(({ status }) => STUCK.includes(status))
    if (stuck !== undefined) {
      await escalateSaga(context, saga, { stuck: stuck.step_id, status: stuck.status })
      continue
    }
    if (saga.undoing.length > 0) return standing
    const done = await advanceSaga(context, saga, action ?? '')
    if (done === 'waits') return standing
  }
}

const STUCK: readonly string[] = ['MANUAL_REVIEW', 'FAILED', 'ABANDONED']

async function advanceSaga(
  context: Context,
  saga: Saga,
  action: string,
): Promise<'waits' | 'moved'> {
  const { flow, record, steps } = saga
  if (record === null) return 'waits'
  const authority = await context.authorities.loadLatest()
  const { standing, agent_id } = record.body
  const terms = toSagaTerms(authority, flow, steps)
  const plan = planUndo({ dfid: flow.dfid, agent_id, standing, related: true, ...terms }, action)
  if (!plan.ok) {
    if (plan.refusal.code === 'COMPENSATION_WAITS') return 'waits'
    await escalateSaga(context, saga, { cannot: plan.refusal.code })
    return 'moved'
  }
  const [first] = plan.undo
  if (first === undefined) {
    await finish(context, saga, record)
    return 'moved'
  }
  const next = steps.find(({ intent_id }) => intent_id === first.intent_id)
  if (next === undefined) return 'waits'
  const undone = await undoEffect(context, record, next)
  if (typeof undone === 'string') return undone
  await escalateSaga(context, saga, undone)
  return 'moved'
}

/** Everything is taken back: this flow, and what was dirty below it, is clean. */
async function finish(context: Context, saga: Saga, record: DirtyFlow): Promise<void> {
  const { store, failpoints } = context
  const { flow, flows, dirty } = saga
  const { now } = await store.readNow(flow.trajectory)
  // With every outcome its flow moves on: what any flow below did meanwhile is taken back, too.
  const guards: Guard[] = flows.map(({ dfid, version }) => ({
    kind: 'flow_version',
    dfid,
    version,
  }))
  const writes: Write[] = []
  for (const one of dirty) {
    const own = one.dfid === flow.dfid ? record : await openDirty(store, one.dfid)
    writes.push(buildSagaEntry(context, one, 'COMPENSATED', { action: record.body.action }))
    writes.push({ kind: 'put_flow', flow: await buildCompensatedFlow(context, one, now) })
    if (own === null) continue
    guards.push(buildUntouchedDirtyGuard(one.dfid, own))
    writes.push(...endDirty(own, 'compensated'))
  }
  await failpoints.reach('compensate.before_finish')
  await store.commit({ guards, writes })
  await failpoints.reach('compensate.after_finish')
}

async function buildCompensatedFlow(context: Context, flow: FlowRow, at: string): Promise<FlowRow> {
  const tags = await computeReviewedTags(context, flow, removeTag(flow.tags, 'DIRTY'))
  return moveFlow(flow, [], at, { tags: addTag(tags, 'COMPENSATED') })
}

/** It cannot go on by itself. */
async function escalateSaga(context: Context, saga: Saga, why: JsonObject): Promise<void> {
  const { store } = context
  const { flow, record } = saga
  if (record === null) return
  const { now } = await store.readNow(flow.trajectory)
  const { dfid, agent_id } = flow
  const tags = addTag(flow.tags, 'NEEDS_REVIEW')
  await store.commit({
    guards: [
      buildUntouchedDirtyGuard(dfid, record),
      { kind: 'flow_version', dfid, version: flow.version },
    ],
    writes: [
      buildSagaEntry(context, flow, 'MANUAL_REVIEW', why),
      putDirty(dfid, { ...record.body, standing: 'with_person' }),
      { kind: 'put_flow', flow: moveFlow(flow, [], now, { tags }) },
      buildNoticeWrite({
        id: `${dfid}:stuck:${now}`,
        kind: 'manual_review',
        agent_id,
        dfid,
        reason_code: 'PARTIAL_SUCCESS_DIRTY',
        channel: 'operator',
        at: now,
        details: why,
      }),
    ],
  })
}
