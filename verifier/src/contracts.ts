import { type Address, type ContractPayload, namesContract } from 'rubicon-kernel'

export type Contracts = {
  /** Takes in a deployment, or says why it could not be one. */
  readonly deploy: (body: ContractPayload['body']) => string[]
  /** `agent_id@version`, or an agent_id for all its versions so far. */
  readonly revoke: (id: string) => void
  /** Why a dispatch of this agent cannot stand on the contract. */
  readonly problem: (hash: Address, agent: string) => string | undefined
}

type Deployed = { readonly hash: Address; readonly version: string; revoked: boolean }

export function createContracts(): Contracts {
  const byAgent = new Map<string, Deployed[]>()

  const deploy = (body: ContractPayload['body']): string[] => {
    const { agent_id, version } = body.contract
    const versions = byAgent.get(agent_id) ?? []
    byAgent.set(agent_id, versions)
    if (body.revoke_previous) for (const one of versions) one.revoked = true
    const same = versions.find((one) => one.version === version)
    // Deployed again it is the same contract, and stays revoked if it was.
    if (same?.hash === body.contract_hash) return []
    versions.push({ hash: body.contract_hash, version, revoked: false })
    return same === undefined ? [] : [`version \`${version}\` exists with other content`]
  }

  const revoke = (id: string): void => {
    for (const [agent, versions] of byAgent) {
      for (const one of versions) {
        if (namesContract(id, agent, one.version)) one.revoked = true
      }
    }
  }

  const problem = (hash: Address, agent: string): string | undefined => {
    const found = byAgent.get(agent)?.find((one) => one.hash === hash)
    if (found === undefined) return 'its contract was not deployed for the agent'
    return found.revoked ? 'its contract is revoked' : undefined
  }

  return { deploy, revoke, problem }
}
