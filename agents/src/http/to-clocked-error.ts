import { parseInstant } from 'rubicon-kernel/canonical'
import { LIMITS } from 'rubicon-kernel/limits'
import { type AgentError, ClientClockError, toAgentError } from '../agent/agent-error.ts'
import type { AnyProblem } from '../call.ts'

/** With the time that counts, where the runtime said it. */
export function toClockedError(problem: AnyProblem, clockNow: number): AgentError {
  const now = parseInstant(String(problem.meta?.now ?? ''))
  const skew = now === undefined ? 0 : now - clockNow
  // A signature counts for a minute; a little less is the time that it was on its way.
  if (Math.abs(skew) < LIMITS.proofMs / 2) return toAgentError(problem)
  return new ClientClockError(problem.code, skew)
}
