/**
 * Whether the contract in force lets the agent of the gateway call a tool: an approval says what a tool is, and grants nobody
 * anything. It is told beside the approval, and is no part of it: where no contract can be read, nothing is said.
 */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Client } from 'rubicon-agents/client'
import type { Contract } from 'rubicon-kernel'
import { loadMcpFile } from 'rubicon-mcp'
import { parseContractText } from 'rubicon-runtime/contract-file'
import { executeAsReader } from './as-reader.ts'
import type { CommandCall } from './call.ts'
import { findMcpFile } from './mcp-place.ts'
import { type Output, SYMBOLS } from './output.ts'

type AgentContract = { readonly agent: string; readonly contract: Contract }

export async function tellWhatIsNotGranted(
  call: CommandCall,
  kinds: readonly string[],
): Promise<void> {
  const read = await readAgentContract(call)
  if (read === null) return
  const { agent, contract } = read
  const { policy_kinds, forbidden_kinds } = contract.permissions
  const off = kinds.filter((kind) => !policy_kinds.includes(kind))
  for (const kind of off) tell(call.out, agent, kind, forbidden_kinds.includes(kind))
  if (off.length > 0) call.out.note(formatDeploy(call, agent))
}

function tell(out: Output, agent: string, kind: string, isForbidden: boolean): void {
  const [how, change] = isForbidden
    ? ['forbids it', 'move its line from `forbidden_kinds` to `policy_kinds`']
    : ['does not allow it', 'add it to `policy_kinds`']
  out.note(`${SYMBOLS.waiting} ${kind}: the contract of ${agent} ${how}; ${change}`)
}

function formatDeploy({ options }: CommandCall, agent: string): string {
  const beside = join(dirname(findMcpFile(options)), `${agent}.yaml`)
  const file = existsSync(beside) ? beside : 'FILE'
  return `${SYMBOLS.info} next: change the contract, raise its version, and \`rubicon contract deploy ${file}\``
}

async function readAgentContract(call: CommandCall): Promise<AgentContract | null> {
  try {
    return await executeAsReader(call, async (client) => {
      const agent = await findAgent(call, client)
      return agent === null ? null : readContract(client, agent)
    })
  } catch {
    // No store yet, or one that cannot be read: the approval stands all the same.
    return null
  }
}

async function findAgent({ options }: CommandCall, client: Client): Promise<string | null> {
  const served = await client.listMcpServers()
  if (served.ok && served.body.agent !== null) return served.body.agent
  const file = await loadMcpFile(findMcpFile(options))
  return file.ok ? file.value.agent : null
}

async function readContract(client: Client, agent: string): Promise<AgentContract | null> {
  const answer = await client.getContract({ params: { agent_id: agent } })
  const source = answer.ok ? answer.body.versions.find((one) => one.in_force)?.source : undefined
  const contract = source === undefined ? undefined : parseContractText(source, agent)
  return contract?.ok === true ? { agent, contract: contract.value } : null
}
