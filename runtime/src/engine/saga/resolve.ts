/**
 * A person settles what the runtime cannot: an effect under review, or a dirty flow as a whole. The
 * word of a person is evidence: it stands in the ledger with the name and the reason.
 */
import {
  ALERT_HUMAN,
  checkJson,
  err,
  type Failure,
  isObject,
  type JsonObject,
  LIMITS,
  ok,
  parseDelta,
  type Result,
  type SagaStanding,
  unreachable,
} from 'rubicon-kernel'
import type { Effect } from '../../ports/capability.ts'
import type { ExecutionRow } from '../../ports/store.ts'
import type { Context } from '../context.ts'
import { parseIntent } from '../dispatch.ts'
import { moveFlow, withoutTag, withTag } from '../flow-row.ts'
import { reviewedTags } from '../reviewed-tags.ts'
import { type Settlement, settle } from '../settle.ts'
import {
  type DirtyFlow,
  dirtyFlows,
  endDirty,
  openDirty,
  putDirty,
  untouchedDirty,
} from './dirty-record.ts'
import { executionsOf } from './effects.ts'
import { sagaEntry } from './saga-entry.ts'

export type Resolution = {
  /** It happened; it did not; or nobody will ever know, and it is left as it is. */
  readonly outcome: 'applied' | 'not_applied' | 'abandon'
  /** What the person found, and where. */
  readonly evidence: JsonObject
  readonly justification: string
  readonly by: string
  /** With `applied`: what the effect would have returned. */
  readonly effect?: Pick<Effect, 'result' | 'delta' | 'receipt'>
}

const STATUS: Readonly<Record<Resolution['outcome'], ExecutionRow['status']>> = {
  applied: 'SUCCESS',
  not_applied: 'FAILED',
  abandon: 'ABANDONED',
}

export async function resolveExecution(
  context: Context,
  dfid: string,
  stepId: string,
  resolution: Resolution,
): Promise<Result<ExecutionRow, Failure>> {
  const problem = problemOf(resolution)
  if (problem !== null) return err(problem)
  const execution = (await executionsOf(context, dfid)).find(({ step_id }) => step_id === stepId)
  const flow = await context.store.flow(dfid)
  if (execution === undefined || flow === null) return err(unknownStep(dfid, stepId))
  if (execution.status !== 'MANUAL_REVIEW') return err(notInReview(execution))
  const settlement = settlementOf(resolution)
  if (!settlement.ok) return settlement
  const intent = parseIntent(execution.intent)
  const settled = await settle(context, { intent, execution, flow }, settlement.value)
  if (settled.status === 'MANUAL_REVIEW') return err(conflicting(settled))
  // Somebody else was faster, and says otherwise.
  if (settled.status !== STATUS[resolution.outcome]) return err(notInReview(settled))
  await goOn(context, dfid)
  return ok(settled)
}

/** A dirty flow that a person has put right, or leaves as it is. */
export async function resolveDirty(
  context: Context,
  dfid: string,
  resolution: Resolution,
): Promise<Result<SagaStanding, Failure>> {
  const { store, failpoints } = context
  const problem = problemOf(resolution)
  if (problem !== null) return err(problem)
  if (resolution.outcome === 'not_applied') return err(notACompensation)
  const compensated = resolution.outcome === 'applied'
  const standing = compensated ? 'compensated' : 'settled'
  for (let attempt = 0; attempt < LIMITS.unitAttempts; attempt++) {
    const flow = await store.flow(dfid)
    const record = await openDirty(store, dfid)
    if (flow === null || record === null) return err(notDirty(dfid))
    const { now } = await store.now(flow.trajectory)
    const left = await reviewedTags(context, flow, withoutTag(flow.tags, 'DIRTY'))
    const tags = compensated ? withTag(left, 'COMPENSATED') : left
    const after = moveFlow(flow, [], now, { tags })
    await failpoints.reach('compensate.before_finish')
    const outcome = await store.commit({
      guards: [untouchedDirty(dfid, record), { kind: 'flow_version', dfid, version: flow.version }],
      writes: [
        sagaEntry(context, flow, compensated ? 'COMPENSATED' : 'SETTLED', wordOf(resolution)),
        { kind: 'put_flow', flow: after },
        ...endDirty(record, standing),
      ],
    })
    await failpoints.reach('compensate.after_finish')
    if (outcome.ok) return ok(standing)
  }
  return err({ code: 'STORE_CONTENTION', summary: 'the flow kept changing', fix: 'try again' })
}

function wordOf({ evidence, justification, by, outcome }: Resolution): JsonObject {
  return { by, outcome, justification, evidence }
}

function settlementOf(resolution: Resolution): Result<Settlement, Failure> {
  const { outcome, effect = {} } = resolution
  const details = wordOf(resolution)
  const found = (finding: 'applied' | 'absent' | 'inconclusive') =>
    ({ source: 'person', finding, details }) as const
  switch (outcome) {
    case 'applied': {
      const read = checkJson({ ...effect })
      const delta = read.ok && isObject(read.value) ? parseDelta(read.value.delta ?? []) : null
      if (delta?.ok !== true) return err(invalid('the effect is none'))
      const known = { ...effect, delta: delta.value }
      return ok({ kind: 'applied', effect: known, by: 'person', evidence: found('applied') })
    }
    case 'not_applied': {
      const failed = { kind: 'failed', code: 'EFFECT_FAILED', transient: false } as const
      return ok({ ...failed, details, evidence: found('absent') })
    }
    case 'abandon':
      return ok({ kind: 'abandoned', details, evidence: found('inconclusive') })
    default:
      return unreachable(outcome)
  }
}

/** Sagas that waited for a person go on; whoever has the hands for them finds them. */
async function goOn(context: Context, dfid: string): Promise<void> {
  const { store } = context
  const waiting = await dirtyFlows(store, '', LIMITS.entriesPerPage)
  const own = waiting.filter(({ body }) => body.standing === 'with_person')
  for (const record of own) {
    if (await isBelow(context, dfid, record.key)) await resume(context, record)
  }
}

async function isBelow({ store }: Context, dfid: string, above: string): Promise<boolean> {
  for (let at: string | null = dfid; at !== null; ) {
    if (at === above) return true
    at = (await store.flow(at))?.parent_dfid ?? null
  }
  return false
}

/** What was chosen, and got stuck, is carried on with; what nobody chose stays with the person. */
async function resume({ store }: Context, record: DirtyFlow): Promise<void> {
  const { chosen, action } = record.body
  if (chosen === null || action === ALERT_HUMAN) return
  await store.commit({
    guards: [untouchedDirty(record.key, record)],
    writes: [putDirty(record.key, { ...record.body, standing: 'compensating' })],
  })
}

function problemOf({ justification, by, evidence }: Resolution): Failure | null {
  if (justification.trim() === '' || by.trim() === '')
    return {
      code: 'JUSTIFICATION_REQUIRED',
      summary: 'nobody says who settles this, and why',
      why: 'the record must show on whose word an outcome rests',
      fix: 'name the person and give the reason',
    }
  const long = justification.length > LIMITS.justificationLength
  if (long || !checkJson(evidence).ok || !justification.isWellFormed() || !by.isWellFormed())
    return invalid('the evidence is not JSON, or the justification is too long')
  return null
}

function invalid(why: string): Failure {
  return {
    code: 'RESOLUTION_INVALID',
    summary: 'the resolution cannot be recorded',
    why,
    fix: 'give evidence as a JSON object, and a reason in a few words',
  }
}

function unknownStep(dfid: string, stepId: string): Failure {
  return {
    code: 'EXECUTION_UNKNOWN',
    summary: `flow \`${dfid}\` has no step \`${stepId}\``,
    fix: 'see `rubicon executions list`',
  }
}

function notInReview({ step_id, status }: ExecutionRow): Failure {
  return {
    code: 'EXECUTION_NOT_IN_REVIEW',
    summary: `step \`${step_id}\` is ${status}`,
    why: 'a person settles only what the runtime could not',
    fix: 'see `rubicon executions list --status MANUAL_REVIEW`',
  }
}

function conflicting({ step_id }: ExecutionRow): Failure {
  return {
    code: 'DELTA_CONFLICT',
    summary: `what \`${step_id}\` changed does not fit the World any more`,
    fix: 'settle it without a delta, or with one that fits',
  }
}

function notDirty(dfid: string): Failure {
  return {
    code: 'FLOW_NOT_DIRTY',
    summary: `flow \`${dfid}\` is not dirty`,
    fix: 'see `rubicon flows show`',
  }
}

const notACompensation: Failure = {
  code: 'RESOLUTION_INVALID',
  summary: 'a dirty flow is compensated, or left as it is',
  fix: 'say `applied` when it was put right by hand, or `abandon`',
}
