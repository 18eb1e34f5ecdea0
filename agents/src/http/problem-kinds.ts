/** What a refusal means for whoever asked: whether it was heard, and whether asking again helps. */
import { AgentError, SafeModeError } from '../agent/agent-error.ts'
import type { AnyProblem } from '../call.ts'

/** It may have been heard, and is perhaps still being done. */
export function isLost({ code }: AnyProblem): boolean {
  return code === 'SERVER_UNREACHABLE' || code === 'IDEMPOTENCY_IN_FLIGHT'
}

/** Nothing of it was heard. A verdict may have the status 429 too, and would only be repeated. */
export function isBusy({ code }: Pick<AnyProblem, 'code'> | AgentError): boolean {
  return code === 'RATE_LIMITED' || code === 'TOO_MANY_UNDER_WAY'
}

export function isOtherVersion({ code }: AnyProblem): boolean {
  return code === 'VERSION_UNSUPPORTED'
}

export function isSessionOver({ code }: AnyProblem): boolean {
  return code === 'SESSION_INVALID' || code === 'SESSION_EXPIRED'
}

/** A suspension may be lifted, a key may be registered; a retired agent stays so. */
export function isRefusedForGood({ code }: AnyProblem): boolean {
  return code === 'AGENT_RETIRED'
}

/** Nobody answered, or nobody had time to: later somebody may. */
export function isPassing(error: unknown): boolean {
  if (error instanceof SafeModeError) return true
  if (!(error instanceof AgentError)) return false
  const { code, status } = error
  return isBusy(error) || code === 'SERVER_UNREACHABLE' || [502, 503, 504].includes(status)
}
