/** What the law says about recorded facts, in one line: handed to the auditor as a function. */
import { addressed, checkDispatch, compile, parseProposal } from 'rubicon-kernel'
import { sha256 } from '../../runtime/src/adapters/system/sha256.ts'
import type { Recompile } from './auditor.ts'
import { stormLaw } from './capabilities.ts'

export const recompile: Recompile = ({ facts, proposal: document, contract, writs }) => {
  const parsed = parseProposal(document)
  if (!parsed.ok) return `rejected ${parsed.error.code}`
  const proposal = parsed.value
  const verdict = compile({
    facts: addressed('facts', facts, sha256),
    proposal,
    document: addressed('proposal', document, sha256),
    contract,
    writs,
    rules: stormLaw().rules,
  })
  switch (verdict.kind) {
    case 'rejected':
      return `rejected ${verdict.code}`
    case 'staged': {
      const line = verdict.trace.find(({ stage }) => stage === 'preconditions')
      const measures = line?.measures ?? {}
      const refusal =
        contract === null ? null : checkDispatch({ facts, proposal, contract, measures })
      return refusal === null ? `staged ${verdict.intent.intent_id}` : `rejected ${refusal.code}`
    }
    default:
      return verdict.kind
  }
}
