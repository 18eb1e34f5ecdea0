/** Which state may follow which. Everything that is not here is refused. */
import type { FlowState } from './flow.ts'

const NEXT: Readonly<Record<FlowState, readonly FlowState[]>> = {
  CREATED: ['ACTIVE', 'ABORTED'],
  ACTIVE: ['VALIDATING', 'CLOSED', 'ESCALATED', 'ABORTED'],
  VALIDATING: ['ACCEPTED', 'ACTIVE', 'ESCALATED', 'ABORTED'],
  ESCALATED: ['ACCEPTED', 'VALIDATING', 'ACTIVE', 'EXECUTING', 'CLOSED', 'ABORTED'],
  ACCEPTED: ['EXECUTING', 'ACTIVE', 'ESCALATED', 'ABORTED'],
  EXECUTING: ['CLOSED', 'ACTIVE', 'ESCALATED', 'ABORTED'],
  CLOSED: [],
  ABORTED: [],
}

export function mayFollow(from: FlowState, to: FlowState): boolean {
  return NEXT[from].includes(to)
}

/** A whole path in one durable write: CREATED → ACTIVE, or VALIDATING → ACCEPTED → EXECUTING. */
export function isPath(from: FlowState, path: readonly FlowState[]): boolean {
  let state = from
  for (const next of path) {
    if (!mayFollow(state, next)) return false
    state = next
  }
  return true
}
