import type { Failure, Result } from 'rubicon-kernel'
import { listProblemLines } from './contract-file/placed-problem.ts'

/** A job that could not be done, as an exception: what the library throws at its own callers. */
export class RubiconError extends Error {
  /** As `rubicon explain` knows it. */
  readonly code: string
  /** All that is known of it: summary, why, fix, and what belongs to it. */
  readonly failure: Failure

  constructor(failure: Failure) {
    const said = failure.why === undefined ? failure.summary : `${failure.summary}: ${failure.why}`
    super([said, ...listProblemLines(failure)].join('\n  '))
    this.name = 'RubiconError'
    this.code = failure.code
    this.failure = failure
  }
}

/** For callers who want the value or an exception. */
export function unwrap<T>(result: Result<T, Failure>): T {
  if (result.ok) return result.value
  throw new RubiconError(result.error)
}
