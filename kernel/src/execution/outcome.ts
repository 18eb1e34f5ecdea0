/** Where an effect stands. What may follow what is in `outcome-machine.ts`. */
export type ExecutionStatus =
  | 'ACCEPTED'
  | 'DISPATCHED'
  | 'SUCCESS'
  | 'FAILED'
  | 'UNKNOWN'
  | 'NOT_APPLIED'
  | 'MANUAL_REVIEW'
  | 'ABANDONED'

/** In the order in which they want attention. */
export const EXECUTION_STATUSES: readonly ExecutionStatus[] = [
  'MANUAL_REVIEW',
  'UNKNOWN',
  'NOT_APPLIED',
  'ACCEPTED',
  'DISPATCHED',
  'FAILED',
  'ABANDONED',
  'SUCCESS',
]
