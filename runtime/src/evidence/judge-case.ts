/** Judges a case by a law: the same compile, on the facts that were recorded. */
import {
  compile,
  computeAddress,
  computeEvidenceHash,
  err,
  type Facts,
  hashEvidenceContract,
  isAddress,
  type JsonValue,
  ok,
  type PolicyProposal,
  parseProposal,
  type Result,
  type Rules,
  toAddressed,
  toEvidenceRules,
  type Verdict,
} from 'rubicon-kernel'
import type { CaseInput, CaseOutcome, DecisionCase } from './decision-case.ts'

/** Err: in words why it cannot be judged. `said`: what came of it, by which it is known whether a proof in it held. */
export function judgeCase(
  input: CaseInput,
  rules: Rules,
  said: Pick<CaseOutcome, 'code'>,
): Result<Verdict, string> {
  const { proposal: document, contract, writs } = input
  const proposal = parseProposal(document)
  if (!proposal.ok) return err('its proposal cannot be parsed')
  const { policy_kind: kind } = proposal.value
  const capability = rules.capability(kind)
  const today: Facts = {
    ...dropAtomGrounds(input, rules),
    capability: capability === undefined ? null : { kind, hash: capability.hash },
    rules_hash: rules.hash,
    // As if it were in force: what is asked is what it would have said.
    in_force: {
      rules: [rules.hash],
      capability: capability === undefined ? [] : [capability.hash],
    },
  }
  const { sha256 } = rules
  return ok(
    compile({
      facts: toAddressed('facts', today, sha256),
      proposal:
        said.code === 'REJECT_HASH' ? proposal.value : bindToTried(proposal.value, input, rules),
      document: toAddressed('proposal', document, sha256),
      contract,
      writs,
      rules,
    }),
  )
}

/** A contract that is only tried: what an atom settled was settled under another, and is asked again. */
function dropAtomGrounds({ facts, contract }: CaseInput, { sha256 }: Rules): Facts {
  const { atom: fact } = facts
  if (fact == null || contract === null) return facts
  if (computeAddress('contract', contract, sha256) === facts.contract?.hash) return facts
  return { ...facts, atom: { ...fact, atom: { ...fact.atom, authority_seq: -1 } } }
}

/** A law that is only tried: an approval counts as given under it, whatever rules it was bound to. */
export function toApprovedLaw(law: Rules, { rules_hash }: Facts): Rules {
  return isAddress(rules_hash) ? { ...law, hash: rules_hash } : law
}

/** A law that is only tried: a proof counts as made under it, whatever contract and rules it was bound to. */
function bindToTried(
  proposal: PolicyProposal,
  { facts, contract }: CaseInput,
  { hash, sha256 }: Rules,
): PolicyProposal {
  if (proposal.evidence_hash === undefined || contract === null) return proposal
  const isSameContract = computeAddress('contract', contract, sha256) === facts.contract?.hash
  if (isSameContract && hash === facts.rules_hash) return proposal
  const { dfid, snapshot_id: context_ref } = facts.flow
  const h_c = hashEvidenceContract(contract as JsonValue, sha256)
  const parts = { dfid, context_ref, h_c, h_r: toEvidenceRules(hash) }
  return { ...proposal, evidence_hash: computeEvidenceHash(parts, sha256) }
}

/** What was said, and what is said now. */
export type Again = {
  readonly recorded: CaseOutcome
  readonly now: CaseOutcome
  readonly verdict: Verdict
}

export function judgeAgain(found: DecisionCase, rules: Rules): Result<Again, string> {
  const { recorded } = found
  const verdict = judgeCase(found, rules, recorded)
  return verdict.ok
    ? ok({ recorded, now: toOutcome(verdict.value), verdict: verdict.value })
    : verdict
}

export function toOutcome(verdict: Verdict): CaseOutcome {
  switch (verdict.kind) {
    case 'staged':
    case 'repeated':
      return { outcome: 'ACCEPTED', code: null }
    case 'suspended':
      return { outcome: 'ESCALATED', code: verdict.domain_code ?? verdict.code }
    case 'rejected':
      return { outcome: 'REJECTED', code: verdict.domain_code ?? verdict.code }
  }
}

export function isSame(a: CaseOutcome, b: CaseOutcome): boolean {
  return a.outcome === b.outcome && a.code === b.code
}
