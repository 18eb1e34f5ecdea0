import {
  computeIdempotencyKeyOfText,
  computeParamsFingerprintOfText,
  type Sha256,
  type SignedIntent,
} from 'rubicon-kernel'

/**
 * Of what goes to the provider and of what guards the step, that which does not fit the step. `params`:
 * their canonical text.
 */
export function stepHashDetails(
  { dfid, step_id, policy_kind, idempotency_key, params_fingerprint }: SignedIntent,
  params: string,
  sha256: Sha256,
): string[] {
  const found: string[] = []
  if (idempotency_key !== computeIdempotencyKeyOfText(dfid, step_id, params, sha256))
    found.push('idempotency_key does not match')
  if (params_fingerprint !== computeParamsFingerprintOfText(policy_kind, params, sha256))
    found.push('params_fingerprint does not match')
  return found
}
