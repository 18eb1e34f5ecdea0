/** The gateway of a server that `rubicon up` starts: its tools are rules of the runtime, and the server has its door. */
import type { Gateway, TellDrift } from 'rubicon-mcp'
import type { Runtime } from 'rubicon-runtime/compose'
import type { McpDoor } from '../http/schemas/mcp-door.ts'
import { type OpenDoor, openDoor } from '../mcp/open-door.ts'
import { getLockPath, openMcpFiles } from './mcp-place.ts'

export type UpGateway = {
  readonly gateway: Gateway
  /** The folder whose files agents change, where the MCP file names one. */
  readonly artifacts?: string
  openDoor(runtime: Runtime): McpDoor
  close(): Promise<void>
}

export async function openUpGateway(file: string): Promise<UpGateway> {
  let opened: OpenDoor | null = null
  // Tools are rules of the runtime, which is there before the door is: a call that comes meanwhile tells nobody.
  const tellDrift: TellDrift = (drifted) => opened?.tellDrift(drifted)
  const { gateway, lock, ...more } = await openMcpFiles(file, tellDrift)
  const place = { gateway, held: lock, file, lockFile: getLockPath(file) }
  return {
    ...more,
    gateway,
    openDoor(runtime) {
      opened = openDoor(runtime, place)
      return opened.door
    },
    async close() {
      await opened?.close()
      await gateway.close()
    },
  }
}
