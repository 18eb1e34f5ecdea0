/** The files of a set-up: the MCP file, the lock, and the contract of the agent. */
import type { JsonObject, JsonValue } from 'rubicon-kernel'
import { formatYaml } from 'rubicon-runtime/contract-file'
import { formatLock } from '../lock/lock-file.ts'
import { buildContract, type ContractOptions, type SetUpServer } from './build-contract.ts'
import type { TakenServer } from './take-server.ts'

export type SetUpFiles = { readonly mcp: string; readonly lock: string; readonly contract: string }

export function buildFiles(
  taken: readonly TakenServer[],
  servers: readonly SetUpServer[],
  options: ContractOptions & { readonly findSecretFile: (name: string) => string },
): SetUpFiles {
  const secrets: Record<string, JsonValue> = {}
  for (const one of taken)
    for (const name of one.secrets.keys())
      secrets[name] = { from: { file: options.findSecretFile(name) } }
  const mcp: JsonObject = {
    agent: options.agent,
    servers: Object.fromEntries(taken.map(({ name, entry }) => [name, entry])),
    ...(Object.keys(secrets).length === 0 ? {} : { secrets }),
  }
  const locked = servers.flatMap(({ tools }) =>
    tools.map(({ server, definition, class: said }) => ({ server, definition, class: said })),
  )
  return {
    mcp: formatYaml(mcp, MCP_COMMENT),
    lock: formatLock({ tools: locked }),
    contract: formatYaml(buildContract(servers, options), CONTRACT_COMMENT),
  }
}

const MCP_COMMENT =
  'MCP servers behind the gateway, and where their credentials are. Nothing else is started.'

const CONTRACT_COMMENT = `What the client may do. Proposed from names, hints and templates: read it, and change it.
policy_kinds: tools that may be called. forbidden_kinds: tools that are off; to turn one on, move its line to
policy_kinds: its bounds are written below, and its calls ask a person.
requires_human_approval: tools that wait for a person. A changed contract needs a higher version:
rubicon contract deploy FILE`
