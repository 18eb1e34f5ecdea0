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
  type Verdict,
} from 'rubicon-kernel'
import type { Recompile } from './audit/verdicts.ts'
import { readAgain, toCompileInput } from './second-reading.ts'

export const recompile: Recompile = ({ form, ...decision }) => {
  const input = toCompileInput(decision)
  if (input === null) {
    const parsed = parseProposal(decision.proposal)
    return `rejected ${parsed.ok ? '' : parsed.error.code}`
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

/** By the kernel, and by the reference interpreter, to which an atom settles nothing. */
function decideAgain(input: CompileInput): string {
  const verdict = compile(input)
  const word = verdict.kind === 'rejected' ? `rejected ${verdict.code}` : verdict.kind
  const second = isLookOutside(verdict) ? word : readAgain(input)
  return second === word
    ? formatVerdict(input, verdict)
    : `${word}, and in a second reading ${second}`
}

/** That a value has moved is not among what the interpreter reads. */
function isLookOutside(verdict: Verdict): boolean {
  return verdict.kind === 'rejected' && verdict.code === 'REJECT_DRIFT'
}

function formatVerdict(input: CompileInput, verdict: Verdict): string {
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
