/** Whether what is sent is sent before its end, and whether that end is as early as it has to be. */
import {
  type CapabilityDescription,
  isObject,
  type JsonValue,
  LIMITS,
  parseInstant,
  type SignedIntent,
} from 'rubicon-kernel'
import type { FoldedIntent } from './folded-intent.ts'

export function findLateProblems(
  { dispatch_before }: Pick<FoldedIntent, 'dispatch_before'>,
  at: string,
): string[] {
  return at < dispatch_before ? [] : ['it was dispatched after its deadline']
}

/** `expires_at`: of its writ, where that is known. */
export function findDeadlineProblems(
  intent: SignedIntent,
  proposal: JsonValue | undefined,
  facts: JsonValue | undefined,
  expires_at: string | undefined,
): string[] {
  const { staged_at, dispatch_before, compensation } = intent
  const ends = [(parseInstant(staged_at) ?? 0) + LIMITS.dispatchWithinMs]
  if (expires_at !== undefined) ends.push(parseEnd(expires_at))
  if (compensation === undefined) {
    ends.push(findApprovedUntil(intent, proposal) ?? Number.POSITIVE_INFINITY)
    ends.push(...listOperatorWordEnds(facts))
  }
  return isBeforeAll(dispatch_before, ends) ? [] : ['its deadline is later than allowed']
}

/** Until when it was approved, or else proposed. What takes back stands on a choice. */
export function findApprovedUntil(
  { approval, compensation }: SignedIntent,
  proposal: JsonValue | undefined,
): number | null {
  const asked = isObject(proposal) ? proposal.valid_until : undefined
  const until = compensation === undefined ? (approval?.valid_until ?? asked) : undefined
  return until === undefined ? null : parseEnd(until)
}

/**
 * A resend ends as early as a dispatch of the moment at which it was judged again would have to, and
 * while its provider surely knows its key.
 */
export function resendEndProblems(
  { until, undoes, firstSent, keyForMs }: FoldedIntent,
  send_before: string,
  facts: JsonValue,
  expires_at: string | undefined,
): string[] {
  const ends = [parseFactsInstant(facts) + LIMITS.dispatchWithinMs]
  if (expires_at !== undefined) ends.push(parseEnd(expires_at))
  if (until !== null) ends.push(until)
  if (!undoes) ends.push(...listOperatorWordEnds(facts))
  if (keyForMs !== null) ends.push(firstSent + keyForMs)
  return isBeforeAll(send_before, ends) ? [] : ['it may be sent again for longer than allowed']
}

/** Facts are of a moment before what was decided on them stands in the ledger. */
export function findJudgedLaterProblems(facts: JsonValue | undefined, at: string): string[] {
  return parseFactsInstant(facts) <= parseEnd(at) ? [] : ['it was judged after it was sent']
}

/** Of a description only the hash was checked: a window that cannot be read has passed. */
export function computeKeyLifetimeMs(
  description: CapabilityDescription | undefined,
): number | null {
  if (description?.effect !== 'keyed' || description.idempotency === undefined) return null
  const given: JsonValue = description.idempotency
  const seconds = isObject(given) ? given.window_s : undefined
  const isWhole = typeof seconds === 'number' && Number.isSafeInteger(seconds)
  return isWhole ? seconds * 1000 - LIMITS.idempotencyMarginMs : Number.NEGATIVE_INFINITY
}

/** When they were gathered; what cannot be read never was. */
export function parseFactsInstant(facts: JsonValue | undefined): number {
  const now = isObject(facts) ? facts.now : undefined
  const ms = typeof now === 'string' ? parseInstant(now) : undefined
  return ms ?? Number.POSITIVE_INFINITY
}

function isBeforeAll(deadline: string, ends: readonly number[]): boolean {
  const ms = parseInstant(deadline) ?? Number.POSITIVE_INFINITY
  return ends.every((end) => ms <= end)
}

/** The end of every word of an operator that was read. */
function listOperatorWordEnds(facts: JsonValue | undefined): readonly number[] {
  const state = isObject(facts) ? facts.state : undefined
  const list: readonly JsonValue[] = Array.isArray(state) ? state : []
  return list.flatMap((fact) => {
    const until = isObject(fact) ? fact.until : undefined
    return until === undefined ? [] : [parseEnd(until)]
  })
}

/** An end that cannot be read has passed. */
function parseEnd(until: JsonValue): number {
  return (typeof until === 'string' ? parseInstant(until) : undefined) ?? 0
}
