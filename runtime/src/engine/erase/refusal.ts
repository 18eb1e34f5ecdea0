/**
 * Why a flow cannot be erased. What it did may still have to be asked about, taken back or settled, by
 * itself or by the flows around it, and all of that reads what it said.
 */
import { type Failure, type FlowTag, isSettled } from 'rubicon-kernel'
import type { FlowRow } from '../../ports/store.ts'
import { allExecutions } from '../all-executions.ts'
import type { Context } from '../context.ts'
import { hasEnded } from '../ended-flow.ts'
import { flowsFrom } from '../saga/effects.ts'

const UNCERTAIN: readonly FlowTag[] = ['DIRTY', 'UNKNOWN']

export async function erasureRefusal(context: Context, flow: FlowRow): Promise<Failure | null> {
  const { dfid } = flow
  if (isErased(flow)) return alreadyErased(dfid)
  for await (const one of flowsFrom(context, flow)) {
    const why = await unfinished(context, one)
    if (why !== null)
      return waits(dfid, one.dfid === dfid ? `it ${why}` : `${one.dfid} below it ${why}`)
  }
  for (let above = flow.parent_dfid; above !== null; ) {
    const parent = await context.store.flow(above)
    if (parent === null) break
    // Only an ended, clean flow takes nothing back any more.
    const isOver = hasEnded(parent) && !isUncertain(parent)
    if (!isOver) return waits(dfid, `${parent.dfid} above it has not ended clean`)
    above = parent.parent_dfid
  }
  return null
}

export function isErased({ tags }: Pick<FlowRow, 'tags'>): boolean {
  return tags.includes('ERASED')
}

export function alreadyErased(dfid: string): Failure {
  return {
    code: 'FLOW_ERASED',
    summary: `flow \`${dfid}\` was erased before`,
    why: 'what it said is gone',
    fix: 'nothing is left to do',
  }
}

async function unfinished({ store }: Context, flow: FlowRow): Promise<string | null> {
  if (!hasEnded(flow)) return `has not ended: it is ${flow.state}`
  if (isUncertain(flow)) return `is tagged ${flow.tags.filter((tag) => UNCERTAIN.includes(tag))}`
  const rows = await allExecutions(store, { dfid: flow.dfid })
  const open = rows.find(({ status }) => !isSettled(status))
  return open === undefined ? null : `has an effect that is ${open.status}: ${open.step_id}`
}

function isUncertain({ tags }: FlowRow): boolean {
  return tags.some((tag) => UNCERTAIN.includes(tag))
}

function waits(dfid: string, why: string): Failure {
  return {
    code: 'ERASURE_WAITS',
    summary: `flow \`${dfid}\` cannot be erased yet`,
    why,
    fix: 'erase it once it, what is below it and what is above it have ended, and every effect is settled',
  }
}
