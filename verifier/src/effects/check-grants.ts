/** Whether an intent is one that its contract, its writs and the rules let through, as far as the ledger says. */
import type { AcceptedPayload } from 'rubicon-kernel'
import { listWritChain } from '../authority/writs.ts'
import { isCostTooLow } from './budgets.ts'
import type { FoldState } from './fold-state.ts'
import { findContractWindowProblems, grantProblems } from './granted.ts'
import { findEvidenceProblems, findOnFailureProblems } from './proven.ts'

export function checkGrants(state: FoldState, payload: AcceptedPayload): readonly string[] {
  const { intent, facts } = payload
  const deployed = state.authority.contracts.get(intent.agent_id, intent.contract_hash)
  const description = state.capabilities.get(intent.capability_hash)
  // That there is none is found where authority and rules are looked at.
  if (deployed === undefined || description === undefined) return []
  if (!deployed.isReadable) return ['its contract cannot be read']
  const { contract } = deployed
  const found = findContractWindowProblems(contract, intent.staged_at)
  if (intent.capability !== `${intent.policy_kind}@${description.version}`)
    found.push('it names another capability')
  if (contract.safety_rules.requires_signature && facts?.auth.kind === 'session')
    found.push('its contract asks for a signature of its agent')
  const rows = state.authority.topologies.get(intent.rules_hash) ?? []
  const { flows, whole } = state.authority
  const shown = whole ? undefined : facts?.flow.event?.topic
  const topic = flows.get(intent.dfid)?.topic ?? shown ?? null
  found.push(...findEvidenceProblems(payload, contract, { rows, topic }, state.sha256))
  found.push(...findOnFailureProblems(payload, contract, description))
  const chain = listWritChain(state.authority.writs, intent.writ_id)
  found.push(...grantProblems(intent, contract, chain, description))
  if (isCostTooLow(intent.cost, description.cost ?? {})) found.push('it costs less than it must')
  return found
}
