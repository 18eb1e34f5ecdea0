/** The effects of a flow and of the flows below it: what has to be taken back when half is done. */
import {
  isReserved,
  isUndoStep,
  LIMITS,
  type RecordedRules,
  type SignedIntent,
  toUndoStep,
} from 'rubicon-kernel'
import type { ExecutionRow, FlowFilter, FlowRow } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { readAllExecutions } from '../rows/all-executions.ts'
import { createTurns } from '../rows/create-turns.ts'
import { parseIntent } from '../rows/stored-intent.ts'
import { openDirty } from './dirty-record.ts'
import { readSettledSteps } from './settled-effect.ts'

/** Newest first. There may be as many as an agent opens: others go first now and then. */
export async function* iterateChildren(
  context: Context,
  parent_dfid: string,
  filter: Pick<FlowFilter, 'state'> = {},
): AsyncGenerator<FlowRow> {
  const { store } = context
  const limit = LIMITS.entriesPerPage
  const turn = createTurns(context)
  let before: string | undefined
  for (;;) {
    const place = before === undefined ? {} : { before }
    const page = await store.listFlows({ parent_dfid, limit, ...filter, ...place })
    for (const child of page) {
      await turn()
      yield child
    }
    before = page.at(-1)?.dfid
    if (page.length < limit) return
  }
}

/** The flow itself first, then everything below it. */
export async function* iterateFlowTree(context: Context, flow: FlowRow): AsyncGenerator<FlowRow> {
  yield flow
  for await (const child of iterateChildren(context, flow.dfid))
    yield* iterateFlowTree(context, child)
}

/**
 * What a flow did outside or to World, was not taken back and was not settled by a person; reads and
 * reserved kinds leave nothing behind.
 */
export async function readOpenEffects(
  context: Context,
  dfid: string,
): Promise<readonly ExecutionRow[]> {
  const rows = await readExecutions(context, dfid)
  // An outcome is recorded whether the registry answers or not.
  const { rules } = await context.authorities.loadAtLeast(0)
  const undone = new Set(rows.filter(isUndone).map(({ step_id }) => step_id))
  const settled = await readSettledSteps(context, dfid)
  return rows.filter((row) => {
    const { step_id, policy_kind } = row
    if (isUndoStep(step_id) || undone.has(toUndoStep(step_id)) || settled.has(step_id)) return false
    return !isReserved(policy_kind) && !isRead(rules, parseIntent(row.intent))
  })
}

/** Whether its outcome can make half a job: reads and reserved kinds leave nothing behind, and taking back is none. */
export async function isEffect(
  { authorities }: Pick<Context, 'authorities'>,
  intent: SignedIntent,
): Promise<boolean> {
  if (intent.compensation !== undefined || isReserved(intent.policy_kind)) return false
  return !isRead((await authorities.loadAtLeast(0)).rules, intent)
}

/** By the capability that it was made by: one that only reads since it was exchanged did not then. */
function isRead(rules: RecordedRules | null, { capability_hash }: SignedIntent): boolean {
  return rules?.reads.has(capability_hash) === true
}

function isUndone({ step_id, status }: ExecutionRow): boolean {
  return isUndoStep(step_id) && status === 'SUCCESS'
}

export function readExecutions({ store }: Context, dfid: string): Promise<readonly ExecutionRow[]> {
  return readAllExecutions(store, { dfid })
}

/** Whether something of the flow, or below it, has succeeded; what `except` did does not count. */
export async function hasSucceeded(
  context: Context,
  flow: FlowRow,
  except?: string,
): Promise<boolean> {
  for await (const { dfid } of iterateFlowTree(context, flow)) {
    if (dfid === except) continue
    const rows = await readOpenEffects(context, dfid)
    if (rows.some(({ status }) => status === 'SUCCESS')) return true
  }
  return false
}

/**
 * Whether the flow, or one directly below it, ended over a failure after `since`: what was on its way then, and succeeded
 * after all, is half of a job. What began later is another try.
 */
export async function hasFailedSince(
  context: Context,
  flow: FlowRow,
  except: string,
  since: string,
): Promise<boolean> {
  for await (const { dfid } of iterateAborted(context, flow)) {
    if (dfid === except) continue
    const rows = await readOpenEffects(context, dfid)
    if (rows.some(({ status, settled_at }) => status === 'FAILED' && (settled_at ?? '') >= since))
      return true
  }
  return false
}

async function* iterateAborted(context: Context, flow: FlowRow): AsyncGenerator<FlowRow> {
  if (flow.state === 'ABORTED') yield flow
  yield* iterateChildren(context, flow.dfid, { state: ['ABORTED'] })
}

/** The flow is dirty because of this step of its own, and for no other reason. */
export async function isDirtyBy(context: Context, flow: FlowRow, stepId: string): Promise<boolean> {
  const cause = (await openDirty(context.store, flow.dfid))?.body.cause
  if (cause?.dfid !== flow.dfid || cause.step_id !== stepId) return false
  return !(await hasFailedSince(context, flow, flow.dfid, ''))
}
