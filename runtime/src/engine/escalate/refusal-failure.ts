import { type Failure, REASONS, type Refusal } from 'rubicon-kernel'

/** A refusal as whoever asked is told. */
export function refusalFailure({ code, details }: Refusal): Failure {
  const { means, why, fix } = REASONS[code]
  return { code, summary: means, why, fix, meta: details }
}
