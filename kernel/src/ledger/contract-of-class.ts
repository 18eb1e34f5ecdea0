import type { Contract } from '../contract/contract.ts'
import { type Authority, type DeployedContract, pinnedContract } from './authority.ts'

/** The contract that an instance was spawned under; undefined for a class. */
export function contractOfClass(
  authority: Pick<Authority, 'contracts'>,
  deployed: DeployedContract | undefined,
): Contract | undefined {
  const { contract, of = '' } = deployed ?? {}
  return pinnedContract(authority, contract?.instance_of ?? '', of)?.contract
}
