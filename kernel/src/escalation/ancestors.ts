/**
 * Which agent above is asked. A request climbs from agent to agent, nearest first; one that could not
 * decide it is passed over, so that nobody waits for it.
 *
 * A1 an agent is never asked about its own request, nor is one that holds its key.
 * A2 the climb ends: it follows contracts in force, which form no circle, and no further than these go.
 */
import { listAncestors } from '../contract/hierarchy.ts'
import { findAgentStatus } from '../ledger/agent-status.ts'
import { type Authority, findCurrentContract, isKeyInUse } from '../ledger/authority.ts'

export type Climbing = {
  readonly authority: Pick<Authority, 'contracts' | 'statuses' | 'keys'>
  readonly now: string
  /** Whose request it is, and what it wants to do. */
  readonly agent: string
  readonly kind: string
}

/** The nearest of this agent and those above it that may be asked; undefined: none is left. */
export function findNearestAncestor(from: string, climbing: Climbing): string | undefined {
  const { authority, now } = climbing
  const findParent = (agent: string): string | undefined =>
    findCurrentContract(authority, agent, now)?.contract.parent_agent
  return [from, ...listAncestors(from, findParent)].find((agent) => mayBeAsked(agent, climbing))
}

/** The next above an agent that was asked. */
export function findAncestorAbove(asked: string, climbing: Climbing): string | undefined {
  const parent = findCurrentContract(climbing.authority, asked, climbing.now)?.contract.parent_agent
  return parent === undefined ? undefined : findNearestAncestor(parent, climbing)
}

/** Its own contract lets it decide, and do what it is asked about; how much, is judged when it decides. */
function mayBeAsked(agent: string, { authority, now, agent: child, kind }: Climbing): boolean {
  const status = findAgentStatus(authority, agent)
  const contract = findCurrentContract(authority, agent, now)?.contract
  if (agent === child || contract === undefined) return false
  if (status === 'SUSPENDED' || status === 'RETIRED' || hasSameKey(authority, agent, child))
    return false
  const granted = contract.permissions.policy_kinds
  return granted.includes('RESOLVE_ESCALATION') && granted.includes(kind)
}

function hasSameKey({ keys }: Climbing['authority'], a: string, b: string): boolean {
  const used = [...keys.values()].filter(isKeyInUse)
  const own = used.filter(({ subject }) => subject === a).map(({ public_key }) => public_key)
  return used.some(({ subject, public_key }) => subject === b && own.includes(public_key))
}
