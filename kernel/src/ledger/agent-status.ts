/**
 * In which state an agent is, for all that decides: what stops a class stops its instances. Of the
 * instance itself only its own moves are recorded, so that it goes on when its class does.
 */
import type { AgentStatus } from '../contract/lifecycle.ts'
import type { Authority } from './authority.ts'

/** The class of an instance. A name is used once, so that its first contract says it. */
export function findAgentClass(
  { contracts }: Pick<Authority, 'contracts'>,
  agentId: string,
): string | undefined {
  return contracts.get(agentId)?.[0]?.contract.instance_of
}

/** Spawned by the runtime under the contract of a class. */
export function isInstance(authority: Pick<Authority, 'contracts'>, agentId: string): boolean {
  return authority.contracts.get(agentId)?.some(({ of }) => of !== undefined) ?? false
}

export function findAgentStatus(
  authority: Pick<Authority, 'contracts' | 'statuses'>,
  agentId: string,
): AgentStatus | undefined {
  const { statuses } = authority
  const own = statuses.get(agentId)
  const ofClass = statuses.get(findAgentClass(authority, agentId) ?? agentId)
  return STOPS.find((stopped) => stopped === own || stopped === ofClass) ?? own
}

/** For good before for a while. */
const STOPS: readonly AgentStatus[] = ['RETIRED', 'SUSPENDED']
