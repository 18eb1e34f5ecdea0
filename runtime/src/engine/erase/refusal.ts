/**
 * Why a flow cannot be erased. What it did may still have to be asked about, taken back or settled, by
 * itself or by the flows above, below and beside it, and all of that reads what it said.
 */

import { type Failure, type FlowTag, isSettled } from 'rubicon-kernel'
import type { FlowRow } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { readAllExecutions } from '../rows/all-executions.ts'
import { buildFlowArchivedFailure, isArchived } from '../rows/archived-flow.ts'
import { hasEnded } from '../rows/ended-flow.ts'
import { buildFlowErasedFailure, isErased } from '../rows/erased-flow.ts'
import { listFlowGenerations } from '../rows/open-generations.ts'
import { iterateFlowTree } from '../saga/effects.ts'

const UNCERTAIN: readonly FlowTag[] = ['DIRTY', 'UNKNOWN']

export async function findErasureFailure(context: Context, flow: FlowRow): Promise<Failure | null> {
  const { dfid } = flow
  if (isErased(flow)) return buildFlowErasedFailure(dfid)
  // The words in the archive would outlive the erasure, and nothing of it would say so.
  if (isArchived(flow)) return buildFlowArchivedFailure(dfid)
  const top = await findTopFlow(context, flow)
  // Also beside it: what fails there has all that was done below their common flow taken back.
  for await (const one of iterateFlowTree(context, top)) {
    const why = await describeUnfinished(context, one)
    if (why !== null)
      return buildErasureWaitsFailure(
        dfid,
        one.dfid === dfid ? `it ${why}` : `${one.dfid}, of the same whole, ${why}`,
      )
  }
  return null
}

/** The flow that the whole began with. */
export async function findTopFlow({ store }: Context, flow: FlowRow): Promise<FlowRow> {
  let top = flow
  while (top.parent_dfid !== null) {
    const above = await store.readFlow(top.parent_dfid)
    if (above === null) break
    top = above
  }
  return top
}

/** Null: nothing more comes of it. */
export async function describeUnfinished(
  { store }: Context,
  flow: FlowRow,
): Promise<string | null> {
  if (!hasEnded(flow)) return `has not ended: it is ${flow.state}`
  if (isUncertain(flow)) return `is tagged ${flow.tags.filter((tag) => UNCERTAIN.includes(tag))}`
  if ((await listFlowGenerations(store, flow.dfid)).length > 0) return 'waits for a model'
  const rows = await readAllExecutions(store, { dfid: flow.dfid })
  const open = rows.find(({ status }) => !isSettled(status))
  return open === undefined ? null : `has an effect that is ${open.status}: ${open.step_id}`
}

function isUncertain({ tags }: FlowRow): boolean {
  return tags.some((tag) => UNCERTAIN.includes(tag))
}

function buildErasureWaitsFailure(dfid: string, why: string): Failure {
  return {
    code: 'ERASURE_WAITS',
    summary: `flow \`${dfid}\` cannot be erased yet`,
    why,
    fix: 'erase it once every flow of the whole that it is part of has ended, and every effect is settled',
  }
}
