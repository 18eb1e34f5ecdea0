import { type ContractPersons, findPinnedContract, NOBODY } from 'rubicon-kernel'
import type { FlowRow } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'

/** Who answers for the agent of a flow, and who may approve what it asks, by its deployment. */
export async function loadContractPersons(
  { authorities }: Pick<Context, 'authorities'>,
  { agent_id, contract_seq, contract_hash }: FlowRow,
): Promise<ContractPersons> {
  const authority = await authorities.loadAtLeast(contract_seq)
  const deployed = findPinnedContract(authority, agent_id, contract_hash)
  return deployed?.persons ?? { owner: NOBODY, approvers: [] }
}
