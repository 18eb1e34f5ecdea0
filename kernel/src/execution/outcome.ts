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
