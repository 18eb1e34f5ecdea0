import type { AgentStatus } from './lifecycle.ts'

/** What people are shown. ESCALATED is not recorded: it is ACTIVE while a flow of the agent waits. */
export type AgentState = AgentStatus | 'ESCALATED'

/** It allows every move of ACTIVE, so that nothing but a display may ask. */
export function deriveAgentState(status: AgentStatus, waitingFlows: number): AgentState {
  return status === 'ACTIVE' && waitingFlows > 0 ? 'ESCALATED' : status
}
