/**
 * Whether what stands in the ledger could come to stand there, entry by entry: authority, approvals,
 * what was taken back, children, what was done and what became of it, and the World.
 */
import { AUTHORITY, type Sha256 } from 'rubicon-kernel'
import { createApprovals } from '../approvals/verify-approvals.ts'
import { type AuthorityCheck, createAuthorityCheck } from '../authority/verify-authority.ts'
import { createChildren } from '../authority/verify-children.ts'
import type { Writs } from '../authority/writs.ts'
import type { Kept } from '../compact-records/parts.ts'
import { createCompensated } from '../compensations/verify-compensated.ts'
import { createCompensations } from '../compensations/verify-compensations.ts'
import { createFold } from '../effects/fold.ts'
import type { Erasures } from '../ledger/erasures.ts'
import type { ReadEntry } from '../reading/read-entry.ts'
import type { Finding, Problem } from '../report/report.ts'
import type { KeyRing } from '../signatures/key-ring.ts'
import { createWorlds } from './verify-world.ts'

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
  readonly kept: Kept
  /** All entries of the tenant are here. */
  readonly whole: boolean
  /** Entries of flows are checked, too. */
  readonly seesFlows: boolean
}

export function createHistory(input: HistoryInput): History {
  const { sha256, ring, writs, erasures, kept, whole, seesFlows } = input
  const authority = createAuthorityCheck(writs, ring.keys, whole, seesFlows, kept)
  const approvals = createApprovals(sha256, authority.people)
  const compensations = createCompensations(sha256, authority.state, kept)
  const compensated = createCompensated(authority.state, kept)
  const children = createChildren(authority.state)
  const fold = createFold(sha256, authority.state, kept)
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
        fold.check(entry, authoritySeq),
      ]
      // A bundle holds one flow; the World is made by all of them.
      const ofWorld = whole && entry.envelope.trajectory !== AUTHORITY ? worlds.check(entry) : []
      const ordered = orders.flat().map((detail): Problem => ({ code: 'AUTHORITY_ORDER', detail }))
      return [...found, ...ordered, ...ofWorld]
    },
    close: () => [...compensated.close(), ...children.close(), ...worlds.close()],
  }
}
