/** What an agent binds its proofs to, where the rules ask it for any. */
import {
  type Contract,
  hashEvidenceContract,
  type JsonValue,
  listAgentNames,
  type Rules,
  type Sha256,
  toEvidenceRules,
  type WorkingContext,
} from 'rubicon-kernel'

const hashes = new WeakMap<Contract, string>()

/** A deployed contract is immutable, so that its hash is computed once. */
function getContractHash(contract: Contract, sha256: Sha256): string {
  const known = hashes.get(contract)
  if (known !== undefined) return known
  const hash = hashEvidenceContract(contract as JsonValue, sha256)
  hashes.set(contract, hash)
  return hash
}

export function buildEvidenceParts(
  contract: Contract,
  { hash, topologies = [], sha256 }: Rules,
): Pick<WorkingContext, 'evidence'> {
  const names = listAgentNames(contract)
  const isAsked = topologies.some(
    ({ topology, agents }) =>
      topology === 'DL_PCI' &&
      (agents === undefined || agents.some((name) => names.includes(name))),
  )
  if (!isAsked) return {}
  return { evidence: { h_c: getContractHash(contract, sha256), h_r: toEvidenceRules(hash) } }
}
