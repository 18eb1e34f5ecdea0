/** Agents in a list: who they are, and in which state. */
import {
  type AgentState,
  AUTHORITY,
  type Authority,
  deriveAgentState,
  findShownContract,
  LIMITS,
} from 'rubicon-kernel'
import type { Store } from '../../../ports/store.ts'
import { findAgentProblems } from './agent-problems.ts'

export type AgentSummary = {
  readonly agent_id: string
  readonly status: AgentState
  /** Requests of it that wait for somebody. It goes on meanwhile. */
  readonly waiting: number
  readonly version: string | null
  readonly owner: string | null
  readonly mission: string | null
  readonly revoked: boolean
  readonly instance_of: string | null
  readonly parent_agent: string | null
  /** How much is wrong with it as it is registered. */
  readonly problems: number
}

/** All, or so many of those behind a name. */
export type AgentPage = { readonly after?: string; readonly limit?: number }

/** In the order of their names. */
export async function listAgentSummaries(
  store: Store,
  authority: Authority,
  { after = '', limit }: AgentPage = {},
): Promise<readonly AgentSummary[]> {
  const names = [...authority.statuses.keys()].filter((name) => name > after).sort()
  const { now } = await store.readNow(AUTHORITY)
  const waiting = await countWaitingByAgent(store)
  return names
    .slice(0, limit)
    .map((agent) => buildAgentSummary(authority, agent, now, waiting.get(agent) ?? 0))
}

export async function loadAgentSummary(
  store: Store,
  authority: Authority,
  agent_id: string,
): Promise<AgentSummary> {
  const { now } = await store.readNow(AUTHORITY)
  const waiting = await countWaitingByAgent(store)
  return buildAgentSummary(authority, agent_id, now, waiting.get(agent_id) ?? 0)
}

/** How many requests wait, by their agents. */
async function countWaitingByAgent(store: Store): Promise<ReadonlyMap<string, number>> {
  const open = await store.listRecords('escalation', 'open', { limit: LIMITS.listed })
  const counts = new Map<string, number>()
  for (const { body } of open) {
    const { agent_id } = body.request
    counts.set(agent_id, (counts.get(agent_id) ?? 0) + 1)
  }
  return counts
}

function buildAgentSummary(
  authority: Authority,
  agent_id: string,
  now: string,
  waiting: number,
): AgentSummary {
  const current = findShownContract(authority, agent_id, now)
  const {
    version = null,
    owner = null,
    mission = null,
    parent_agent = null,
  } = current?.contract ?? {}
  return {
    agent_id,
    status: deriveAgentState(authority.statuses.get(agent_id) ?? 'INITIALIZING', waiting),
    waiting,
    version,
    owner,
    mission,
    revoked: current === undefined,
    instance_of: authority.contracts.get(agent_id)?.[0]?.contract.instance_of ?? null,
    parent_agent,
    problems: findAgentProblems(authority, agent_id, now).length,
  }
}
