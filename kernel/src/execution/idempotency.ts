/**
 * Two hashes with two jobs. The key goes to the provider and is the seeds' formula; the fingerprint
 * guards the claim, so that a retry with one changed character is refused instead of run again.
 */
import type { JsonObject } from '../canonical/json-value.ts'
import { hashText, type Sha256 } from '../canonical/sha256.ts'
import { toCanonicalText } from '../canonical/write-json.ts'

export function computeIdempotencyKey(
  dfid: string,
  stepId: string,
  params: JsonObject,
  sha256: Sha256,
): string {
  return computeIdempotencyKeyOfText(dfid, stepId, toCanonicalText(params), sha256)
}

/** The same, of parameters whose canonical text is at hand. */
export function computeIdempotencyKeyOfText(
  dfid: string,
  stepId: string,
  params: string,
  sha256: Sha256,
): string {
  return hashText(`${dfid}:${stepId}:${params}`, sha256)
}

export function computeParamsFingerprint(
  policyKind: string,
  params: JsonObject,
  sha256: Sha256,
): string {
  return computeParamsFingerprintOfText(policyKind, toCanonicalText(params), sha256)
}

/** The same, of parameters whose canonical text is at hand. */
export function computeParamsFingerprintOfText(
  policyKind: string,
  params: string,
  sha256: Sha256,
): string {
  return hashText(`{"params":${params},"policy_kind":${toCanonicalText(policyKind)}}`, sha256)
}
