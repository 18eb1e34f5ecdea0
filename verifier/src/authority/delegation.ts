/**
 * Whose authority a flow stands on beside its agent's own: a writ is worth what its holder is. Nothing is
 * decided, sent or opened under the writ of an agent that was stopped, by itself or with its class.
 */
import type { Address, AgentStatus } from 'rubicon-kernel'
import type { Intent } from '../compact-records/flow-rows.ts'
import type { AuthorityState } from './authority-state.ts'
import { listWritChain } from './writs.ts'

/** Who holds the writ and those above it, as far as they are known. */
export function listWritHolders(
  { writs }: AuthorityState,
  writ: Address | undefined,
): readonly string[] {
  return listWritChain(writs, writ).map(({ subject }) => subject)
}

/** By the chain that the intent names, and by that of its flow, whatever is named. */
export function findStoppedDelegation(
  state: AuthorityState,
  { agent, writ, bearer }: Pick<Intent, 'agent' | 'writ' | 'bearer'>,
): string[] {
  const own = state.flows.get(bearer)?.writ
  const others = new Set(listWritHolders(state, writ))
  if (own !== writ) for (const holder of listWritHolders(state, own)) others.add(holder)
  others.delete(agent)
  if (others.size === 0) return []
  return [...others].flatMap((holder) => {
    const status = findStoppedStatus(state, holder)
    return status === undefined ? [] : [`agent \`${holder}\`, who delegated it, is ${status}`]
  })
}

/** How it was stopped, by itself or with its class; undefined: it was not. */
export function findStoppedStatus(
  { statuses, contracts }: AuthorityState,
  agent: string,
): AgentStatus | undefined {
  const found = [agent, contracts.classOf(agent) ?? agent].map((name) => statuses.get(name))
  return found.find((status) => status === 'SUSPENDED' || status === 'RETIRED')
}
