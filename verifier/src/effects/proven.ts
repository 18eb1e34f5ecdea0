/**
 * Does a proposal carry a proof where the rules ask for one, and does it bind this flow, snapshot, contract
 * and these rules? Here only that it is signed: whether the signature is its agent's is looked at where signatures
 * are (`spoken.ts`).
 */
import {
  type AcceptedPayload,
  type CapabilityDescription,
  type Contract,
  chooseOnFailure,
  computeEvidenceHash,
  findChannelAgent,
  hashEvidenceContract,
  isAboutEvent,
  isObject,
  type JsonValue,
  listAgentNames,
  type Sha256,
  selectTopology,
  type Topology,
  type TopologyRow,
  toEvidenceRules,
} from 'rubicon-kernel'

/** The rules for ways that it was decided by, and what the event that woke its flow is about. */
type FlowWay = { readonly rows: readonly TopologyRow[]; readonly topic: string | null }

export function findEvidenceProblems(
  payload: AcceptedPayload,
  contract: Contract,
  way: FlowWay,
  sha256: Sha256,
): readonly string[] {
  const { intent, proposal } = payload
  const { evidence_hash: said, signature } = isObject(proposal) ? proposal : {}
  const wanted = findWantedTopology(payload, contract, way)
  if (wanted === 'EOAM' && way.topic === null) return ['its class asks for an event']
  if (isAboutEvent(intent.policy_kind) && way.topic === null) return ['there is no event to halt']
  if (wanted === 'SDS' && isUnsettled(payload)) return ['its class asks for an atom']
  if (said === undefined) return wanted === 'DL_PCI' ? ['its class asks for a proof'] : []
  if (signature === undefined) return ['nobody signed its proof']
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

/** What follows a failure was fixed with the proof, and nothing else has it. */
export function findOnFailureProblems(
  { intent, proposal }: AcceptedPayload,
  contract: Contract,
  description: CapabilityDescription,
): readonly string[] {
  const isProven = isObject(proposal) && proposal.evidence_hash !== undefined
  const wanted = isProven ? chooseOnFailure(description, contract) : undefined
  if (intent.on_failure === wanted) return []
  return ['what follows its failure is not what capability and contract say']
}

/** What a person wrote carries that person's word; an agent above is none. */
function findWantedTopology(
  { intent, facts }: AcceptedPayload,
  contract: Contract,
  { rows, topic }: FlowWay,
): Topology | null {
  const { policy_kind, approval } = intent
  const isByAgent = findChannelAgent(approval?.approver ?? '') !== undefined
  if (facts?.auth.kind === 'approval' && !isByAgent) return null
  return selectTopology(rows, { agents: listAgentNames(contract), policy_kind, topic })
}

/** Decided under no atom: none is named, or an agent above wrote it. */
function isUnsettled({ facts, proposal }: AcceptedPayload): boolean {
  return facts?.auth.kind === 'approval' || !isObject(proposal) || proposal.atom_id === undefined
}
