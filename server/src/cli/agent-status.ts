import type { AgentSummary } from 'rubicon-runtime/engine/authority'

/** The state of an agent, and what stands beside it. */
export function formatAgentStatus({
  status,
  revoked,
  waiting,
}: Pick<AgentSummary, 'status' | 'revoked' | 'waiting'>): string {
  const notes = [...(revoked ? ['revoked'] : []), ...(waiting === 0 ? [] : [`${waiting} waiting`])]
  return notes.length === 0 ? status : `${status} (${notes.join(', ')})`
}
