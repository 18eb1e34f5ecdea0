import { idempotencyKey, paramsFingerprint, type Sha256, type SignedIntent } from 'rubicon-kernel'

/** Of what goes to the provider and of what guards the step, that which does not fit the step. */
export function stepHashDetails(
  { dfid, step_id, policy_kind, params, ...intent }: SignedIntent,
  sha256: Sha256,
): string[] {
  const found: string[] = []
  if (intent.idempotency_key !== idempotencyKey(dfid, step_id, params, sha256))
    found.push('idempotency_key does not fit')
  if (intent.params_fingerprint !== paramsFingerprint(policy_kind, params, sha256))
    found.push('params_fingerprint does not fit')
  return found
}
