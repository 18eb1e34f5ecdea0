import type { Failure } from 'rubicon-kernel'

/** Somebody else changed it at each of `LIMITS.unitAttempts` attempts: nothing was written. */
export function buildContentionFailure(what: string): Failure {
  return { code: 'STORE_CONTENTION', summary: `${what} kept changing`, fix: 'try again' }
}
