import type { JsonObject } from 'rubicon-kernel'
import { NotApplied } from '../ports/capability.ts'

export type NotSentCode =
  | 'COMMAND_DENIED'
  | 'EGRESS_DENIED'
  | 'SECRET_UNAVAILABLE'
  | 'TEMPLATE_UNFILLED'
  | 'TOOL_DENIED'
  | 'TOOL_DRIFT'
  | 'URI_INVALID'

/** Why a call of a tool did not leave. Nothing happened, and the same call would end the same way. */
export function createNotSentError(
  code: NotSentCode,
  why: string,
  details: JsonObject = {},
): NotApplied {
  return new NotApplied(`${code}: ${why}`, { details: { ...details, code } })
}
