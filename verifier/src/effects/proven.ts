/**
 * Does the proof that a proposal carries bind this flow, snapshot, contract and these rules? That its agent signed it is
 * looked at where signatures are (`spoken.ts`).
 */
import {
  type AcceptedPayload,
  type Contract,
  computeEvidenceHash,
  hashEvidenceContract,
  isObject,
  type JsonValue,
  type Sha256,
  toEvidenceRules,
} from 'rubicon-kernel'

export function findEvidenceProblems(
  { intent, proposal }: AcceptedPayload,
  contract: Contract,
  sha256: Sha256,
): readonly string[] {
  const said = isObject(proposal) ? proposal.evidence_hash : undefined
  if (said === undefined) return []
  const bound = computeEvidenceHash(
    {
      dfid: intent.dfid,
      context_ref: intent.snapshot_id,
      h_c: hashEvidenceContract(contract as JsonValue, sha256),
      h_r: toEvidenceRules(intent.rules_hash),
    },
    sha256,
  )
  return said === bound ? [] : ['its evidence hash is not that of its flow, contract and rules']
}
