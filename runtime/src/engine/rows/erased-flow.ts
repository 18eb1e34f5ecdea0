/** Whether a flow was erased, as its row and a counter have it. */
import type { Failure } from 'rubicon-kernel'
import type { FlowRow, Guard } from '../../ports/store.ts'

export function isErased({ tags }: Pick<FlowRow, 'tags'>): boolean {
  return tags.includes('ERASED')
}

export function buildFlowErasedFailure(dfid: string): Failure {
  return {
    code: 'FLOW_ERASED',
    summary: `flow \`${dfid}\` was erased before`,
    why: 'what it said is gone',
    fix: 'nothing is left to do',
  }
}

/** Holds as long as the flow was not erased. */
export function buildNotErasedGuard(dfid: string): Guard {
  return { kind: 'counter', id: toErasedCounter(dfid), by: 1, limit: 1 }
}

export function toErasedCounter(dfid: string): string {
  return `erased ${dfid}`
}
