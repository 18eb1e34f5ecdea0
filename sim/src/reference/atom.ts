/**
 * Atoms, a second time. An atom that holds changes nothing about a verdict: whatever it covers, everything is asked here,
 * so that a stage that was covered and should not have been is a difference.
 */
import type { AtomFact, CompileInput, ReasonCode } from 'rubicon-kernel'

/** Null: none is named, or it holds. What was approved is not held to it. */
export function checkAtom({ facts, proposal, writs }: CompileInput): ReasonCode | null {
  const { atom: fact, approval, now, flow, contract } = facts.value
  if (proposal.atom_id === undefined || approval != null) return null
  if (fact === null || fact === undefined) return 'ATOM_INVALID'
  const { atom } = fact
  const isForThis =
    atom.dfid === flow.dfid &&
    atom.agent_id === flow.agent_id &&
    atom.contract_hash === contract?.hash &&
    atom.writ_id === writs[0]?.id &&
    atom.policy_kinds.includes(proposal.policy_kind)
  // Where there is no contract, or no writ, other stages say so.
  const isAsked = contract !== null && writs.length > 0
  if (atom.atom_id !== proposal.atom_id || !isSigned(fact)) return 'ATOM_INVALID'
  if (isAsked && !isForThis) return 'ATOM_INVALID'
  if (fact.ended === 'used') return 'ATOM_USED'
  const isOver = !(Date.parse(now) < Date.parse(atom.expires_at))
  return isOver || fact.ended === 'returned' ? 'ATOM_EXPIRED' : null
}

function isSigned({ signature }: AtomFact): boolean {
  return signature.valid && signature.purpose === 'kernel'
}
