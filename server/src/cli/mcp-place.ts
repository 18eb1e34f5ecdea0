/** The two files of the gateway, and the gateway over them. */
import { existsSync } from 'node:fs'
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
import { CliFailure, unwrap } from './failure.ts'

export const DEFAULT_MCP_FILE = 'mcp.yaml'

export type McpPlace = {
  readonly gateway: Gateway
  readonly lock: ToolLock
  /** The folder whose files agents change; absent: the MCP file names none. */
  readonly artifacts?: string
}

export function findMcpFile(options: Options): string {
  return resolve(options.text('mcp') ?? DEFAULT_MCP_FILE)
}

export function findLockFile(options: Options): string {
  return getLockPath(findMcpFile(options))
}

/** Beside the MCP file. */
export function getLockPath(file: string): string {
  return join(dirname(file), 'mcp.lock.json')
}

/** No server is started by it. */
export function openMcpPlace(options: Options): Promise<McpPlace> {
  return openMcpFiles(findMcpFile(options))
}

export async function openMcpFiles(file: string, onDrift?: TellDrift): Promise<McpPlace> {
  if (!existsSync(file)) throw createMissingFailure(file)
  const config = unwrap(await loadMcpFile(file))
  const lock = unwrap(await loadLock(getLockPath(file)))
  const gateway = unwrap(openGateway(config, lock, nodeCrypto.sha256, onDrift))
  const { artifacts } = config
  // A relative one is seen from the file, wherever the command is typed.
  const named = artifacts === undefined ? {} : { artifacts: resolve(dirname(file), artifacts) }
  return { gateway, lock, ...named }
}

/** The name of the file is a default, which whoever never made one has not typed. */
function createMissingFailure(file: string): CliFailure {
  return new CliFailure({
    code: 'FILE_UNREADABLE',
    summary: `there is no MCP file \`${file}\``,
    fix: '`rubicon mcp init` makes one from the settings of your MCP client; --mcp names one elsewhere',
  })
}
