import { type Authority, type Failure, findAgentStatus } from 'rubicon-kernel'

/** Why nothing is begun for the agent; null: nobody has stopped it. */
export function checkAgentStatus(
  authority: Pick<Authority, 'contracts' | 'statuses'>,
  agent: string,
): Failure | null {
  const status = findAgentStatus(authority, agent)
  if (status === 'SUSPENDED')
    return {
      code: 'AGENT_SUSPENDED',
      summary: `\`${agent}\` is suspended`,
      why: 'only an operator lifts a suspension',
      fix: 'reactivate it: `rubicon agents reactivate AGENT --reason TEXT`',
    }
  if (status === 'RETIRED')
    return {
      code: 'AGENT_RETIRED',
      summary: `\`${agent}\` is retired`,
      why: 'retirement is final',
      fix: 'deploy a contract for its successor',
    }
  return null
}
