/**
 * Whether a request asks about what the law found, and an approval lifts that alone, for no longer than
 * one may, with the care that it asks for: people are shown the request, and what runs is let pass by what they
 * lifted.
 */
import {
  type ApprovalPayload,
  isObject,
  type JsonValue,
  LIMITS,
  type PayloadOf,
  parseInstant,
  toCanonicalText,
} from 'rubicon-kernel'
import type { AnswerWindow } from '../authority/approval-window.ts'
import type { Weighed } from './raised-impact.ts'

type Request = PayloadOf['pending_approval']['request']

/** Of the first entry of a request; about a flow itself there is no trace. */
export function requestProblems(
  request: Request,
  trace: JsonValue | undefined,
  at: string,
  { least, most }: AnswerWindow,
): string[] {
  const found: string[] = []
  const asked = toCanonicalText(request.triggers)
  if (trace !== undefined && toCanonicalText(listTriggers(trace)) !== asked)
    found.push('its triggers are not those of its trace')
  if (isFurtherThan(request.expires_at, at, most))
    found.push('the request is open for longer than its contract says')
  // What ends before its time is called expired, and nobody could answer.
  if (isNearerThan(request.expires_at, request.requested_at, least))
    found.push('it leaves less time to answer than its contract says')
  return found
}

export function liftProblems(
  { triggers }: Request,
  { lifts, valid_until }: ApprovalPayload['body'],
  at: string,
): string[] {
  const known = new Set(triggers.map(({ id }) => id))
  const found = lifts.every((id) => known.has(id))
    ? []
    : ['it lifts a trigger that the request does not have']
  if (valid_until !== undefined && isFurtherThan(valid_until, at, LIMITS.deadlineHorizonMs))
    found.push('the approval is valid for longer than the limit')
  return found
}

/** What a person owes to HIGH_IMPACT: time, and the words that it asks for. */
export function findCareProblems(
  { impact, acknowledge = '', not_before }: Weighed,
  { acknowledged_impact, acknowledgement = '' }: ApprovalPayload['body'],
  at: string,
): string[] {
  if (impact !== 'HIGH_IMPACT') return []
  const found = at < not_before ? ['it was approved before the time to read it had passed'] : []
  if (acknowledged_impact === impact && acknowledgement === acknowledge) return found
  return [...found, 'the approval lacks the acknowledgement of its impact']
}

/** The trace is read as anybody's: only its hash was checked. */
export function listTriggers(trace: JsonValue): readonly JsonValue[] {
  if (!Array.isArray(trace)) return []
  const lines: readonly JsonValue[] = trace
  return lines.flatMap((line) => {
    const triggers = isObject(line) ? line.triggers : undefined
    return Array.isArray(triggers) ? (triggers as readonly JsonValue[]) : []
  })
}

/** When it was requested need not be a time: that is found with the time to read it. */
function isNearerThan(time: string, from: JsonValue | undefined, ms: number): boolean {
  const since = typeof from === 'string' ? parseInstant(from) : undefined
  return since !== undefined && (parseInstant(time) ?? 0) - since < ms
}

/** Times were read as instants before. */
function isFurtherThan(time: string, from: string, ms: number): boolean {
  return (parseInstant(time) ?? 0) - (parseInstant(from) ?? 0) > ms
}
