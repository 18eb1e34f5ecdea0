/** Agents in a list: who they are, and in which state. */
import {
  type AgentState,
  AUTHORITY,
  type Authority,
  agentState,
  currentContract,
} from 'rubicon-kernel'
import type { Store } from '../../ports/store.ts'
import { agentProblems } from './agent-problems.ts'

export type AgentSummary = {
  readonly agent_id: string
  readonly status: AgentState
  readonly version: string | null
  readonly owner: string | null
  readonly mission: string | null
  readonly revoked: boolean
  readonly instance_of: string | null
  readonly parent_agent: string | null
  /** How much is wrong with it as it is registered. */
  readonly problems: number
}

/** In the order of their names. */
export function agentSummaries(
  store: Store,
  authority: Authority,
): Promise<readonly AgentSummary[]> {
  const names = [...authority.statuses.keys()].sort()
  return Promise.all(names.map((agent) => agentSummary(store, authority, agent)))
}

export async function agentSummary(
  store: Store,
  authority: Authority,
  agent_id: string,
): Promise<AgentSummary> {
  const current = currentContract(authority, agent_id)
  const {
    version = null,
    owner = null,
    mission = null,
    parent_agent = null,
  } = current?.contract ?? {}
  const status = authority.statuses.get(agent_id) ?? 'INITIALIZING'
  const waiting = await store.flows({ agent_id, state: ['ESCALATED'], limit: 1 })
  const { now } = await store.now(AUTHORITY)
  return {
    agent_id,
    status: agentState(status, waiting.length),
    version,
    owner,
    mission,
    revoked: current === undefined,
    instance_of: authority.contracts.get(agent_id)?.[0]?.contract.instance_of ?? null,
    parent_agent,
    problems: agentProblems(authority, agent_id, now).length,
  }
}
