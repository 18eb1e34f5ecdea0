/** Whether a request asks those whom its contract names, for as long as that says. */
import type { Contract, EscalationRequest } from 'rubicon-kernel'
import { toCanonicalJson } from './bytes.ts'

/** All versions of a contract name the same people here. */
export function isQuorum(
  { needs, approvers }: EscalationRequest,
  contract: Contract | undefined,
): boolean {
  const named = contract?.safety_rules.approvers
  return named === undefined || toCanonicalJson({ needs, of: approvers }) === toCanonicalJson(named)
}

/** From when it was asked, which is no later than that is recorded. All versions of a contract say the same here. */
export function isWindow(
  { requested_at, expires_at }: EscalationRequest,
  contract: Contract | undefined,
  at: string,
): boolean {
  if (contract === undefined) return true
  const { approval_window_s: seconds = 3600 } = contract.safety_rules
  const waits = Date.parse(expires_at) - Date.parse(requested_at)
  return requested_at <= at && waits === seconds * 1000
}
