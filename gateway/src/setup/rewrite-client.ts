/** The client's file with one server, the gateway, in the place of all that stand behind it now. */
import { isObject, type JsonObject } from 'rubicon-kernel'
import type { ClientFile } from './client-file.ts'

export const GATEWAY_NAME = 'rubicon'

export type GatewayCommand = { readonly command: string; readonly args: readonly string[] }

/** `behind`: names of the servers that the client no longer starts. What else the file says stays. */
export function rewriteClient(
  { member, document }: ClientFile,
  behind: ReadonlySet<string>,
  gateway: GatewayCommand,
): string {
  const before = document[member]
  const kept = Object.entries(isObject(before) ? before : {}).filter(([name]) => !behind.has(name))
  const servers: JsonObject = {
    ...Object.fromEntries(kept),
    [GATEWAY_NAME]: buildEntry(member, gateway),
  }
  return `${JSON.stringify({ ...document, [member]: servers }, null, 2)}\n`
}

/** VS Code says of each server what it is. */
export function buildEntry(
  member: ClientFile['member'],
  { command, args }: GatewayCommand,
): JsonObject {
  return { ...(member === 'servers' ? { type: 'stdio' } : {}), command, args }
}

/** Whether the gateway is what this client starts. */
export function hasGateway({ servers }: ClientFile): boolean {
  return servers.some(
    ({ name, entry: { args } }) =>
      name === GATEWAY_NAME &&
      Array.isArray(args) &&
      args.includes('mcp') &&
      args.includes('--mcp'),
  )
}
