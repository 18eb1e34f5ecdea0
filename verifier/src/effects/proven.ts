/**
 * Does a proposal carry a proof where the rules ask for one, and does it bind this flow, snapshot, contract
 * and these rules? That its agent signed it is
 * looked at where signatures are (`spoken.ts`).
 */
import {
  type AcceptedPayload,
  type Contract,
  computeEvidenceHash,
  hashEvidenceContract,
  isObject,
  type JsonValue,
  listAgentNames,
  type Sha256,
  selectTopology,
  type TopologyRow,
  toEvidenceRules,
} from 'rubicon-kernel'

export function findEvidenceProblems(
  payload: AcceptedPayload,
  contract: Contract,
  rows: readonly TopologyRow[],
  sha256: Sha256,
): readonly string[] {
  const { intent, proposal } = payload
  const said = isObject(proposal) ? proposal.evidence_hash : undefined
  if (said === undefined)
    return isProofDemanded(payload, contract, rows) ? ['its class asks for a proof'] : []
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

/** What a person wrote carries that person's word. */
function isProofDemanded(
  { intent, facts }: AcceptedPayload,
  contract: Contract,
  rows: readonly TopologyRow[],
): boolean {
  if (facts?.auth.kind === 'approval') return false
  const { policy_kind } = intent
  return selectTopology(rows, { agents: listAgentNames(contract), policy_kind }) === 'DL_PCI'
}
