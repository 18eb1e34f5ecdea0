import { type Address, computeAddressOfText } from '../canonical/address.ts'
import type { Sha256 } from '../canonical/sha256.ts'
import { toCanonicalText } from '../canonical/write-json.ts'
import type { Contract } from './contract.ts'

/** What an agent must know of its contract to decide: what it is for and what binds it. */
export type Mission = {
  /** What the agent is for, in words. */
  readonly mission: string
  /** What it may do, and where it must stop. */
  readonly constraints: Pick<Contract, 'permissions' | 'safety_rules'>
}

export function toMission({ mission, permissions, safety_rules }: Contract): Mission {
  return { mission, constraints: { permissions, safety_rules } }
}

const texts = new WeakMap<Contract, string>()

/** Its canonical text. Contracts never change, and every context counts its tokens: it is written once. */
export function formatMission(contract: Contract): string {
  const known = texts.get(contract)
  if (known !== undefined) return known
  const text = toCanonicalText(toMission(contract))
  texts.set(contract, text)
  return text
}

/** A proposal carries it back. Another one means that the agent works on another mission. */
export function hashMission(contract: Contract, sha256: Sha256): Address {
  return computeAddressOfText('mission', formatMission(contract), sha256)
}
