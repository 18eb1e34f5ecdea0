import { formatInstant } from '../canonical/time.ts'
import type { EscalationDecision } from './decision.ts'
import type { EscalationRequest } from './request.ts'

type OverrideTerms = {
  /** Until when it may be carried out. */
  readonly until: number
  readonly justification: string
}

/** The decision of somebody who has read a request and agrees with all of it: it lifts every trigger. */
export function buildOverride(
  { intent_digest, shown_snapshot, triggers, impact, acknowledge }: EscalationRequest,
  { until, justification }: OverrideTerms,
): EscalationDecision {
  return {
    decision: 'OVERRIDE',
    intent_digest,
    shown_snapshot,
    lifts: triggers.map(({ id }) => id),
    valid_until: formatInstant(until),
    justification,
    acknowledged_impact: impact,
    ...(acknowledge === undefined ? {} : { acknowledgement: acknowledge }),
  }
}
