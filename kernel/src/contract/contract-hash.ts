import { type Address, computeAddress } from '../canonical/address.ts'
import type { Sha256 } from '../canonical/sha256.ts'
import type { Contract } from './contract.ts'

export function hashContract(contract: Contract, sha256: Sha256): Address {
  return computeAddress('contract', contract, sha256)
}
