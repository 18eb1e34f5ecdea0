import type { Failure } from 'rubicon-kernel'

/** The thread did not get to an answer: the draft took too much, or too many wait. */
export class DraftEnded extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.summary)
    this.failure = failure
  }
}
