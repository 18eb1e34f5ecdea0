/**
 * Whose authority a flow stands on beside its agent's own. A writ is worth what its holder is: while an
 * agent is suspended nothing passes that it delegated, and when it has ended that is over.
 */
import { type AgentStatus, type Authority, findAgentStatus, type Writ } from 'rubicon-kernel'
import type { FlowRow } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { loadWritChain } from './writ-chain.ts'

/**
 * The writs of other agents, of the flows above and then of a chain that is named instead: one that is
 * named does not bring a flow back to life.
 */
export async function loadDelegatedWrits(
  context: Context,
  flow: FlowRow,
  chain: readonly Writ[],
): Promise<readonly Writ[]> {
  const isOwn = flow.writs.length === 1 || flow.writs[0]?.id === chain[0]?.id
  const own = isOwn ? [] : await loadWritChain(context, flow, undefined)
  return [...own, ...chain].filter(({ body }) => body.subject !== flow.agent_id)
}

/** In which state the agents are whose writs these are; null: nobody has stopped any of them. */
export function findStoppedDelegation(
  authority: Authority,
  writs: readonly Writ[],
): { readonly writ: Writ; readonly status: AgentStatus } | null {
  for (const stop of ['RETIRED', 'SUSPENDED'] as const) {
    const writ = writs.find(({ body }) => findAgentStatus(authority, body.subject) === stop)
    if (writ !== undefined) return { writ, status: stop }
  }
  return null
}
