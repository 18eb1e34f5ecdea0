import type { JsonObject } from 'rubicon-kernel'
import { NotApplied } from '../ports/capability.ts'

/** Why a call of a tool did not leave. Nothing happened, and the same call would end the same way. */
export function createNotSentError(
  code: 'EGRESS_DENIED' | 'COMMAND_DENIED' | 'TEMPLATE_UNFILLED' | 'SECRET_UNAVAILABLE',
  why: string,
  details: JsonObject = {},
): NotApplied {
  return new NotApplied(`${code}: ${why}`, { details: { ...details, code } })
}
