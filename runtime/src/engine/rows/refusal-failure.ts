import { type Failure, REASONS, type Refusal } from 'rubicon-kernel'

/** A refusal as whoever asked is told. */
export function toRefusalFailure({ code, details }: Refusal): Failure {
  const { means, why, fix } = REASONS[code]
  return { code, summary: means, why, fix, meta: details }
}

/** What somebody sent is no decision, or none that would be read from outside. */
export function buildUnreadableRefusal(detail: string): Refusal {
  return { code: 'DECISION_INVALID', details: { detail } }
}
