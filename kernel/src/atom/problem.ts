/** What makes an atom worth nothing for a decision, whoever signed it; and whether what it settled still stands. */
import type { Atom } from './atom.ts'

/** What a decision stands on, as far as an atom names it. */
export type AtomStanding = Pick<Atom, 'dfid' | 'agent_id' | 'contract_hash' | 'writ_id'> & {
  readonly policy_kind: string
}

/** The first member that is another's; null: it was issued for this decision. */
export function findForeignMember(
  atom: Atom,
  { dfid, agent_id, contract_hash, writ_id, policy_kind }: AtomStanding,
): string | null {
  if (atom.dfid !== dfid) return 'dfid'
  if (atom.agent_id !== agent_id) return 'agent_id'
  if (atom.contract_hash !== contract_hash) return 'contract_hash'
  if (atom.writ_id !== writ_id) return 'writ_id'
  return atom.policy_kinds.includes(policy_kind) ? null : 'policy_kinds'
}

/** What its answers were found by. */
export type AtomGrounds = Pick<Atom, 'rules_hash' | 'authority_seq' | 'snapshot_id'> & {
  readonly mission_context_hash: string
  readonly policy_kind: string
  /** Null: nothing carries it out. */
  readonly capability_hash: string | null
}

/** Whether it was issued on what stands now; where not, everything is asked again. */
export function isAtomCurrent(atom: Atom, now: AtomGrounds): boolean {
  const { policy_kind: kind } = now
  const hash = Object.hasOwn(atom.capability_hashes, kind) ? atom.capability_hashes[kind] : null
  return (
    atom.rules_hash === now.rules_hash &&
    atom.authority_seq === now.authority_seq &&
    atom.snapshot_id === now.snapshot_id &&
    atom.mission_context_hash === now.mission_context_hash &&
    hash !== null &&
    hash === now.capability_hash
  )
}
