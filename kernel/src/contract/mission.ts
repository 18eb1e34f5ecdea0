import { type Address, computeAddress } from '../canonical/address.ts'
import type { Sha256 } from '../canonical/sha256.ts'
import type { Contract } from './contract.ts'

/** What an agent must know of its contract to decide: what it is for and what binds it. */
export type Mission = {
  readonly mission: string
  readonly constraints: Pick<Contract, 'permissions' | 'safety_rules'>
}

export function toMission({ mission, permissions, safety_rules }: Contract): Mission {
  return { mission, constraints: { permissions, safety_rules } }
}

/** A proposal carries it back. Another one means that the agent works on another mission. */
export function hashMission(contract: Contract, sha256: Sha256): Address {
  return computeAddress('mission', toMission(contract), sha256)
}
