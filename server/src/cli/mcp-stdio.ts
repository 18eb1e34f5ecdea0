/**
 * `rubicon mcp`: the gateway for one MCP client, over standard input and output. It holds the key of an agent and no
 * authority: every call is signed and sent to the server that runs on the store, which is started if none does.
 */
import { randomUUID } from 'node:crypto'
import {
  createFront,
  createRemoteBehind,
  type FrontOptions,
  findSoleResourceServer,
  nameProcessConversation,
  serveFront,
} from 'rubicon-mcp'
import { toConsolePath } from '../mcp/console-path.ts'
import type { CommandCall } from './call.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { FollowedServer } from './followed-server.ts'
import { connectKeyedAgent, readAgentKey } from './keyed-agent.ts'
import { openMcpPlace } from './mcp-place.ts'
import { findRunningServer } from './running-server.ts'
import { startServer } from './start-server.ts'

export async function serveMcpClient(call: CommandCall): Promise<ExitCode> {
  const { place, options } = call
  const { gateway } = await openMcpPlace(options)
  const key = await readAgentKey(call, gateway.agent)
  const found = (await findRunningServer(place)) ?? (await startServer(call))
  const server = new FollowedServer(place, found)
  const agent = await connectKeyedAgent(call, server, gateway.agent, key)
  const behind = createRemoteBehind(agent.mcp, findSoleResourceServer(gateway.servers))
  const showFlow = createShowFlow(server)
  // A client counts its calls from the start of this process on.
  const conversation = nameProcessConversation(randomUUID())
  const front = { agent, tools: () => gateway.tools, behind, showFlow, conversation }
  await serveFront(() => createFront(front))
  behind.close()
  await agent.close()
  return EXIT.done
}

/** Where it can be decided. A server of another version does not say where its console is. */
function createShowFlow(server: Pick<FollowedServer, 'url'>): FrontOptions['showFlow'] {
  return (dfid, attempt) => {
    const { url } = server
    const page = toConsolePath(dfid, attempt)
    return url === '' ? `${page} of the console` : `${url}${page}`
  }
}
