/** A decision flow: everything that happens under one dfid. */
export type FlowState =
  | 'CREATED'
  | 'ACTIVE'
  | 'VALIDATING'
  | 'ACCEPTED'
  | 'EXECUTING'
  | 'ESCALATED'
  | 'CLOSED'
  | 'ABORTED'

/** Something may still happen in it. */
export const OPEN_FLOW_STATES: readonly FlowState[] = [
  'CREATED',
  'ACTIVE',
  'VALIDATING',
  'ACCEPTED',
  'EXECUTING',
  'ESCALATED',
]

export const FLOW_STATES: readonly FlowState[] = [...OPEN_FLOW_STATES, 'CLOSED', 'ABORTED']

export type FlowTag = 'DIRTY' | 'COMPENSATED' | 'UNKNOWN' | 'NEEDS_REVIEW' | 'ERASED' | 'ARCHIVED'
