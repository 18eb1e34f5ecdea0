import type { Contract } from '../contract/contract.ts'
import { type Authority, type DeployedContract, findPinnedContract } from './authority.ts'

/** The contract that an instance was spawned under; undefined for a class. */
export function findClassContract(
  authority: Pick<Authority, 'contracts'>,
  deployed: DeployedContract | undefined,
): Contract | undefined {
  const { contract, of = '' } = deployed ?? {}
  return findPinnedContract(authority, contract?.instance_of ?? '', of)?.contract
}
