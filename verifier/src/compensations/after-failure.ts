/** What a flow of which half is done has to say next, and how it is told where it does not. */
import type { OnFailure, SagaPayload } from 'rubicon-kernel'
import type { Place } from '../report/report.ts'

/** What the next entries of a flow have to say, and since where. */
export type Unsaid = { readonly place: Place; readonly wanted: readonly SagaPayload['status'][] }

const UNSAID =
  'an effect of its flow failed, another one is still in place, and the flow is not DIRTY'

const NOT_BEGUN = 'an effect of its flow failed, and what its intent says of that was not begun'

/** By what should have come next. */
export function describeUnsaid([next]: Unsaid['wanted']): string {
  return next === 'PARTIAL_SUCCESS_DIRTY' ? UNSAID : NOT_BEGUN
}

const FIXED: Readonly<Record<OnFailure, SagaPayload['status']>> = {
  REVERT_STATE: 'COMPENSATING',
  ALERT_HUMAN: 'MANUAL_REVIEW',
}

/** Null: somebody chooses later. */
export function listWantedMoves(onFailure: OnFailure | null): Unsaid['wanted'] {
  return ['PARTIAL_SUCCESS_DIRTY', ...(onFailure === null ? [] : [FIXED[onFailure]])]
}
