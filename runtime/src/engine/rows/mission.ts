import { type Address, type Contract, hashMission, type Sha256 } from 'rubicon-kernel'

const missions = new WeakMap<Contract, Address>()

/** The hash of a contract's mission. A deployed contract is immutable, so it is computed once. */
export function getMissionHash(contract: Contract, sha256: Sha256): Address {
  const known = missions.get(contract)
  if (known !== undefined) return known
  const hash = hashMission(contract, sha256)
  missions.set(contract, hash)
  return hash
}
