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
  readonly lockFile: string
}

/** No server is started by it. */
export async function openMcpPlace(options: Options): Promise<McpPlace> {
  const file = options.text('mcp') ?? DEFAULT_MCP_FILE
  const config = unwrap(await loadMcpFile(file))
  const lockFile = join(dirname(file), 'mcp.lock.json')
  const lock = unwrap(await loadLock(lockFile))
  return { gateway: unwrap(openGateway(config, lock, nodeCrypto.sha256)), lock, lockFile }
}
