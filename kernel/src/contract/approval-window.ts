/** How long a request of an agent waits for whoever decides it. */
import { LIMITS } from '../limits.ts'
import type { Contract } from './contract.ts'

export function getApprovalWindowMs({
  approval_window_s: seconds,
}: Pick<Contract['safety_rules'], 'approval_window_s'>): number {
  return seconds === undefined ? LIMITS.approvalWindowMs.usual : seconds * 1000
}
