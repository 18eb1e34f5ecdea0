/**
 * What the hands answer has to fit into an answer. One that does not is read as none: the effect would be uncertain, with the lock of
 * all artifacts, until a person comes, and files would be written that World never hears of.
 */
import { encodeUtf8, LIMITS, toCanonicalText } from 'rubicon-kernel'
import type { Effect } from '../ports/capability.ts'
import { createRefusal } from './refusal.ts'

/** Before anything is written. */
export function checkEffectSize({ result = null, delta = [] }: Effect): void {
  const { length } = encodeUtf8(
    toCanonicalText({ result, delta: JSON.parse(JSON.stringify(delta)) }),
  )
  if (length <= LIMITS.resultBytes) return
  throw createRefusal(
    'PLAN_TOO_LARGE',
    `what is to be recorded of it has ${length} bytes, at most ${LIMITS.resultBytes}; change fewer symbols at once`,
  )
}
