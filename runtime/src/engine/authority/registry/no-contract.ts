import { type Authority, type Failure, findShownContract } from 'rubicon-kernel'

/** Why an agent has no contract in force: nobody gave it one, or the time of it has not come. */
export function buildNoContractFailure(authority: Authority, agent: string, now: string): Failure {
  const summary = `no contract is in force for \`${agent}\``
  const contract = findShownContract(authority, agent, now)?.contract
  if (contract === undefined)
    return {
      code: 'AGENT_UNKNOWN',
      summary,
      why: 'agents do not register themselves',
      fix: 'deploy one: `rubicon contract deploy FILE`',
    }
  const { version, effective_from, effective_until } = contract
  const when =
    now < effective_from ? `holds from ${effective_from} on` : `ended at ${effective_until}`
  return {
    code: 'CONTRACT_NOT_EFFECTIVE',
    summary,
    why: `version ${version} ${when}`,
    fix: 'deploy a version that is in force now: `rubicon contract deploy FILE`',
  }
}
