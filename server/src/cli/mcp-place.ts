/** The two files of the gateway, and the gateway over them. */
import { dirname, join } from 'node:path'
import { type Gateway, loadLock, loadMcpFile, openGateway, type ToolLock } from 'rubicon-mcp'
import { nodeCrypto } from 'rubicon-verifier'
import type { Options } from './call.ts'
import { unwrap } from './failure.ts'

export const DEFAULT_MCP_FILE = 'mcp.yaml'

export type McpPlace = {
  readonly gateway: Gateway
  readonly lock: ToolLock
}

/** Beside the MCP file. */
export function findLockFile(options: Options): string {
  return join(dirname(options.text('mcp') ?? DEFAULT_MCP_FILE), 'mcp.lock.json')
}

/** No server is started by it. */
export async function openMcpPlace(options: Options): Promise<McpPlace> {
  const file = options.text('mcp') ?? DEFAULT_MCP_FILE
  const config = unwrap(await loadMcpFile(file))
  const lock = unwrap(await loadLock(findLockFile(options)))
  return { gateway: unwrap(openGateway(config, lock, nodeCrypto.sha256)), lock }
}
