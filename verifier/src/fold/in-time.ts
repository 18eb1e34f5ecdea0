/** Whether what is sent is sent before its end, and whether that end is as early as it has to be. */
import { isObject, type JsonValue, LIMITS, parseInstant, type SignedIntent } from 'rubicon-kernel'
import type { FoldedIntent } from './folded-intent.ts'

export function lateProblems(
  { dispatch_before }: Pick<FoldedIntent, 'dispatch_before'>,
  at: string,
): string[] {
  return at < dispatch_before ? [] : ['it is dispatched after its deadline']
}

/** `expires_at`: of its writ, where that is known. */
export function deadlineProblems(
  { staged_at, dispatch_before, approval, compensation }: SignedIntent,
  proposal: JsonValue | undefined,
  facts: JsonValue | undefined,
  expires_at: string | undefined,
): string[] {
  const deadline = parseInstant(dispatch_before) ?? Number.POSITIVE_INFINITY
  const ends = [(parseInstant(staged_at) ?? 0) + LIMITS.dispatchWithinMs]
  if (expires_at !== undefined) ends.push(endOf(expires_at))
  if (compensation === undefined) {
    const asked = isObject(proposal) ? proposal.valid_until : undefined
    const until = approval?.valid_until ?? asked
    if (until !== undefined) ends.push(endOf(until))
    ends.push(...words(facts))
  }
  return ends.every((end) => deadline <= end) ? [] : ['its deadline is later than it may be']
}

/** The end of every word of an operator that was read. */
function words(facts: JsonValue | undefined): readonly number[] {
  const state = isObject(facts) ? facts.state : undefined
  const list: readonly JsonValue[] = Array.isArray(state) ? state : []
  return list.flatMap((fact) => {
    const until = isObject(fact) ? fact.until : undefined
    return until === undefined ? [] : [endOf(until)]
  })
}

/** An end that cannot be read has passed. */
function endOf(until: JsonValue): number {
  return (typeof until === 'string' ? parseInstant(until) : undefined) ?? 0
}
