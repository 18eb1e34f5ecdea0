/**
 * Where a proposal names an atom: is it one that the kernel issued for this decision, is it still good, and was it not
 * used? Then what it settled is not asked again, as long as everything that it was settled on is as it was; else all
 * is asked, and the verdict is the one that it would be without.
 *
 * A step that is claimed is answered before: an atom that was used for it is no reason to refuse the repetition. What
 * was approved is not held to a minute that passed while somebody thought about it.
 */
import { findForeignMember, isAtomCurrent } from '../atom/problem.ts'
import { parseInstant } from '../canonical/time.ts'
import type { AtomFact } from './facts.ts'
import type { CompileInput, Findings } from './input.ts'
import type { Stage, StageResult } from './stage.ts'
import { PASS, refuse } from './stage.ts'

export const atomStage: Stage = {
  name: 'atom',
  reads: ['atom', 'now', 'flow', 'contract', 'capability', 'rules_hash', 'authority_seq'],
  run(input: CompileInput, found: Findings): StageResult {
    const fact = input.facts.value.atom ?? null
    if (fact === null) return refuse('ATOM_INVALID', { atom_id: input.proposal.atom_id ?? null })
    const { atom } = fact
    const foreign = findForgedMember(input, fact)
    if (foreign !== null) return refuse('ATOM_INVALID', { atom_id: atom.atom_id, member: foreign })
    if (fact.ended === 'used') return refuse('ATOM_USED', { atom_id: atom.atom_id })
    const now = parseInstant(input.facts.value.now)
    const ends = parseInstant(atom.expires_at)
    const isOver = now === undefined || ends === undefined || now >= ends
    if (isOver || fact.ended !== null)
      return refuse('ATOM_EXPIRED', { atom_id: atom.atom_id, expires_at: atom.expires_at })
    found.atom_id = atom.atom_id
    if (isStillSo(input, fact)) found.covered = atom.covers
    return PASS
  },
}

/** Where it decides anything: not at the release of what was approved. */
export function isAtomLookedAt({ facts, proposal }: CompileInput): boolean {
  return proposal.atom_id !== undefined && facts.value.approval == null
}

/** What of it was not issued by the kernel for this decision; null: all was. */
function findForgedMember(
  { facts: { value: facts }, proposal, writs }: CompileInput,
  { atom, signature }: AtomFact,
): string | null {
  if (atom.atom_id !== proposal.atom_id) return 'atom_id'
  if (!signature.valid || signature.purpose !== 'kernel') return 'kernel_signature'
  const [leaf] = writs
  // What is gone altogether is refused by its own stage, as without an atom.
  if (facts.contract === null || leaf === undefined) return null
  return findForeignMember(atom, {
    dfid: facts.flow.dfid,
    agent_id: facts.flow.agent_id,
    contract_hash: facts.contract.hash,
    writ_id: leaf.id,
    policy_kind: proposal.policy_kind,
  })
}

function isStillSo(
  { facts: { value: facts }, proposal }: CompileInput,
  { atom }: AtomFact,
): boolean {
  return (
    facts.contract !== null &&
    isAtomCurrent(atom, {
      rules_hash: facts.rules_hash,
      authority_seq: facts.authority_seq,
      snapshot_id: facts.flow.snapshot_id,
      mission_context_hash: facts.contract.mission_hash,
      policy_kind: proposal.policy_kind,
      capability_hash: facts.capability?.hash ?? null,
    })
  )
}
