/** Earlier decisions, as a snapshot names them and as an agent is shown them. */
import { computeAddress } from '../canonical/address.ts'
import type { Sha256 } from '../canonical/sha256.ts'
import type { MemoryEntry, MemoryRef, StoredMemory } from './layers.ts'

/** What the ledger keeps for ever holds nothing that another flow said, only what proves it. */
export function toMemoryRef({ said, ...entry }: StoredMemory, sha256: Sha256): MemoryRef {
  return said === undefined ? entry : { ...entry, said: computeAddress('memory', said, sha256) }
}

export function toMemoryEntry({ said, ...entry }: StoredMemory): MemoryEntry {
  if (said === undefined) return entry
  const { salt: _, ...words } = said
  return { ...entry, said: words }
}
