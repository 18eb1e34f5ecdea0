/** What a person says of an effect, or of a dirty flow. */
import { checkJson, type Failure, isBlank, type JsonObject, LIMITS } from 'rubicon-kernel'
import type { Effect } from '../../ports/capability.ts'

export type Resolution = {
  /** It happened; it did not; or nobody will ever know, and it is left as it is. */
  readonly outcome: 'applied' | 'not_applied' | 'abandon'
  /** What the person found, and where. */
  readonly evidence: JsonObject
  readonly justification: string
  readonly by: string
  /** With `applied`: what the effect would have returned. */
  readonly effect?: Pick<Effect, 'result' | 'delta' | 'receipt'>
}

/** As it stands in the ledger. */
export function toResolutionDetails({
  evidence,
  justification,
  by,
  outcome,
}: Resolution): JsonObject {
  return { by, outcome, justification, evidence }
}

/** Why it cannot be taken down; null: it can. */
export function checkResolution({ justification, by, evidence }: Resolution): Failure | null {
  if (isBlank(justification) || isBlank(by))
    return {
      code: 'JUSTIFICATION_REQUIRED',
      summary: 'the person who settles this, or the reason, is missing',
      why: 'the record must show who decided the outcome, and why',
      fix: 'name the person and give the reason',
    }
  const long = justification.length > LIMITS.justificationLength
  if (long || !checkJson(evidence).ok || !justification.isWellFormed() || !by.isWellFormed())
    return buildResolutionFailure('the evidence is not JSON, or the justification is too long')
  return null
}

export function buildResolutionFailure(why: string): Failure {
  return {
    code: 'RESOLUTION_INVALID',
    summary: 'the resolution cannot be recorded',
    why,
    fix: 'give evidence as a JSON object, and a reason in a few words',
  }
}
