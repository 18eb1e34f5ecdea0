/**
 * Whether what stands in the ledger could come to stand there, entry by entry: authority, approvals,
 * what was taken back, children, what was done and what became of it, and the World.
 */
import { AUTHORITY, type Sha256 } from 'rubicon-kernel'
import type { Erasures } from './erasures.ts'
import { createFold } from './fold/fold.ts'
import { createKept } from './kept/parts.ts'
import type { KeyRing } from './key-ring.ts'
import type { ReadEntry } from './read-entry.ts'
import type { Finding, Problem } from './report.ts'
import { createApprovals } from './verify-approvals.ts'
import { type AuthorityCheck, createAuthorityCheck } from './verify-authority.ts'
import { createChildren } from './verify-children.ts'
import { createCompensated } from './verify-compensated.ts'
import { createCompensations } from './verify-compensations.ts'
import { createWorlds } from './verify-world.ts'
import type { Writs } from './writs.ts'

export type History = {
  readonly authority: AuthorityCheck
  readonly check: (entry: ReadEntry, authoritySeq: number) => readonly Problem[]
  /** What is known only at the end. */
  readonly close: () => readonly Finding[]
}

export type HistoryInput = {
  readonly sha256: Sha256
  readonly ring: KeyRing
  readonly writs: Writs
  readonly erasures: Erasures
  /** All entries of the tenant are here. */
  readonly whole: boolean
  /** Entries of flows are checked, too. */
  readonly seesFlows: boolean
}

export function createHistory(input: HistoryInput): History {
  const { sha256, ring, writs, erasures, whole, seesFlows } = input
  const kept = createKept()
  const authority = createAuthorityCheck(writs, ring.keys, whole, seesFlows, kept)
  const approvals = createApprovals(sha256, authority.people)
  const compensations = createCompensations(sha256, authority.state, kept)
  const compensated = createCompensated(authority.state, kept)
  const children = createChildren(authority.state)
  const fold = createFold(authority.state, kept)
  const worlds = createWorlds(sha256, erasures.worldAt)
  return {
    authority,
    check: (entry, authoritySeq) => {
      const found = authority.check(entry, authoritySeq)
      const orders = [
        approvals.check(entry),
        compensations.check(entry),
        compensated.check(entry),
        children.check(entry),
        fold.check(entry),
      ]
      // A bundle holds one flow; the World is made by all of them.
      const ofWorld = whole && entry.envelope.trajectory !== AUTHORITY ? worlds.check(entry) : []
      const ordered = orders.flat().map((detail): Problem => ({ code: 'AUTHORITY_ORDER', detail }))
      return [...found, ...ordered, ...ofWorld]
    },
    close: () => [...compensated.close(), ...children.close(), ...worlds.close()],
  }
}
