/**
 * What may be said of an effect after what. An uncertain outcome is UNKNOWN: it is never called
 * failed, never silently tried again, and leaves only with evidence.
 */
import type { ExecutionStatus } from './outcome.ts'

const NEXT: Readonly<Record<ExecutionStatus, readonly ExecutionStatus[]>> = {
  // With executors of their own: nothing has left the process yet.
  ACCEPTED: ['DISPATCHED', 'ABANDONED'],
  DISPATCHED: ['SUCCESS', 'FAILED', 'UNKNOWN', 'NOT_APPLIED', 'MANUAL_REVIEW'],
  UNKNOWN: ['SUCCESS', 'FAILED', 'NOT_APPLIED', 'DISPATCHED', 'MANUAL_REVIEW'],
  NOT_APPLIED: ['DISPATCHED', 'FAILED'],
  MANUAL_REVIEW: ['SUCCESS', 'FAILED', 'ABANDONED'],
  SUCCESS: [],
  FAILED: [],
  ABANDONED: [],
}

export function mayBecome(from: ExecutionStatus, to: ExecutionStatus): boolean {
  return NEXT[from].includes(to)
}

export function isSettled(status: ExecutionStatus): boolean {
  return NEXT[status].length === 0
}
