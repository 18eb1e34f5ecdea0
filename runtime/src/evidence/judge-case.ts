/** Judges a case by a law: the same compile, on the facts that were recorded. */
import {
  compile,
  err,
  type Facts,
  isAddress,
  ok,
  parseProposal,
  type Result,
  type Rules,
  toAddressed,
  type Verdict,
} from 'rubicon-kernel'
import type { CaseInput, CaseOutcome, DecisionCase } from './decision-case.ts'

/** Err: in words why it cannot be judged. */
export function judgeCase(
  { facts, proposal: document, contract, writs }: CaseInput,
  rules: Rules,
): Result<Verdict, string> {
  const proposal = parseProposal(document)
  if (!proposal.ok) return err('its proposal cannot be parsed')
  const { policy_kind: kind } = proposal.value
  const capability = rules.capability(kind)
  const today: Facts = {
    ...facts,
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
      proposal: proposal.value,
      document: toAddressed('proposal', document, sha256),
      contract,
      writs,
      rules,
    }),
  )
}

/** A law that is only tried: an approval counts as given under it, whatever rules it was bound to. */
export function toApprovedLaw(law: Rules, { rules_hash }: Facts): Rules {
  return isAddress(rules_hash) ? { ...law, hash: rules_hash } : law
}

/** What was said, and what is said now. */
export type Again = {
  readonly recorded: CaseOutcome
  readonly now: CaseOutcome
  readonly verdict: Verdict
}

export function judgeAgain(found: DecisionCase, rules: Rules): Result<Again, string> {
  const { recorded } = found
  const verdict = judgeCase(found, rules)
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
