/** The two files of the gateway, and the gateway over them. */
import { dirname, join, resolve } from 'node:path'
import {
  type Gateway,
  loadLock,
  loadMcpFile,
  openGateway,
  type TellDrift,
  type ToolLock,
} from 'rubicon-mcp'
import { nodeCrypto } from 'rubicon-verifier'
import type { Options } from './call.ts'
import { unwrap } from './failure.ts'

export const DEFAULT_MCP_FILE = 'mcp.yaml'

export type McpPlace = {
  readonly gateway: Gateway
  readonly lock: ToolLock
}

export function findMcpFile(options: Options): string {
  return resolve(options.text('mcp') ?? DEFAULT_MCP_FILE)
}

/** Beside the MCP file. */
export function findLockFile(options: Options): string {
  return join(dirname(findMcpFile(options)), 'mcp.lock.json')
}

/** No server is started by it. */
export async function openMcpPlace(options: Options, onDrift?: TellDrift): Promise<McpPlace> {
  const config = unwrap(await loadMcpFile(findMcpFile(options)))
  const lock = unwrap(await loadLock(findLockFile(options)))
  return { gateway: unwrap(openGateway(config, lock, nodeCrypto.sha256, onDrift)), lock }
}
