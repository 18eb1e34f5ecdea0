/** What still stands between somebody and an approval. */

import type { DecisionWords } from 'rubicon-agents'
import type { JudgedModification } from 'rubicon-agents/client'
import { isBlank } from 'rubicon-kernel'

export type Missing = {
  /** Where it is given. */
  readonly field: 'acknowledgement' | 'reason' | 'override'
  readonly words: string
  /** For so long there is nothing to do but read. */
  readonly left?: number
}

/** Null: nothing. */
export function findMissing(
  { acknowledge, not_before }: Pick<JudgedModification, 'acknowledge' | 'not_before'>,
  { acknowledgement, reason }: DecisionWords,
  now: number,
): Missing | null {
  if (acknowledge !== null && acknowledgement !== acknowledge)
    return { field: 'acknowledgement', words: describeWanted(acknowledge, acknowledgement) }
  if (isBlank(reason)) return { field: 'reason', words: 'give a reason' }
  const left = Date.parse(not_before ?? '') - now
  return left > 0 ? { field: 'override', words: 'time to read it', left } : null
}

/** Who has typed the words in other letters sees no difference. */
function describeWanted(wanted: string, typed: string): string {
  const isAlmost = typed.trim().toLowerCase() === wanted.toLowerCase()
  return isAlmost
    ? `type ${wanted} exactly: capitals and spaces count`
    : `type ${wanted} to confirm`
}
