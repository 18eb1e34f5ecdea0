/** What the law says about recorded facts, in one line: handed to the auditor as a function. */
import {
  type CompileInput,
  checkDispatch,
  compile,
  parseProposal,
  type ReasonCode,
  type Rechecked,
  recheck,
  recheckUndo,
  toAddressed,
} from 'rubicon-kernel'
import { sha256 } from '../../runtime/src/adapters/system/sha256.ts'
import type { Recompile } from './audit/verdicts.ts'
import { findLaw } from './laws.ts'

export const recompile: Recompile = ({ facts, proposal: document, contract, writs, form }) => {
  const parsed = parseProposal(document)
  if (!parsed.ok) return `rejected ${parsed.error.code}`
  const input: CompileInput = {
    facts: toAddressed('facts', facts, sha256),
    proposal: parsed.value,
    document: toAddressed('proposal', document, sha256),
    contract,
    writs,
    rules: findLaw(facts.rules_hash).book.rules,
  }
  switch (form) {
    case 'decided':
      return decideAgain(input)
    case 'carried out':
      return recheckInput(input)
    case 'taken back': {
      const { refusal } = recheckUndo(input)
      return refusal === null ? form : `refused ${refusal.code}`
    }
  }
}

function decideAgain(input: CompileInput): string {
  const verdict = compile(input)
  switch (verdict.kind) {
    case 'rejected':
      return `rejected ${verdict.code}`
    case 'staged': {
      const line = verdict.trace.find(({ stage }) => stage === 'preconditions')
      const code = findDispatchRefusal(input, line?.measures ?? {})
      return code === null ? `staged ${verdict.intent.intent_id}` : `rejected ${code}`
    }
    default:
      return verdict.kind
  }
}

function recheckInput(input: CompileInput): string {
  const { refusal, measures } = recheck(input)
  const code = refusal?.code ?? findDispatchRefusal(input, measures)
  return code === null ? 'carried out' : `refused ${code}`
}

function findDispatchRefusal(
  { facts, proposal, contract, rules }: CompileInput,
  measures: Rechecked['measures'],
): ReasonCode | null {
  const law = rules.capability(proposal.policy_kind)
  if (contract === null || law === undefined) return null
  return checkDispatch({ facts: facts.value, proposal, contract, law, measures })?.code ?? null
}
