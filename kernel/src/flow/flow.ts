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

export type FlowTag = 'DIRTY' | 'COMPENSATED' | 'UNKNOWN' | 'NEEDS_REVIEW'
