/**
 * `rubicon mcp`: the gateway for one MCP client, over standard input and output. It holds the key of an agent and no
 * authority: every call is signed and sent to the server that runs on the store, which is started if none does.
 */
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type AgentKey, connectAgent, parseAgentKey } from 'rubicon-agents'
import {
  createFront,
  createRemoteBehind,
  type FrontOptions,
  findSoleResourceServer,
  nameProcessConversation,
  serveFront,
} from 'rubicon-mcp'
import { resolveStateDirectory } from 'rubicon-runtime/compose'
import { toConsolePath } from '../mcp/console-path.ts'
import type { CommandCall } from './call.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { CliFailure } from './failure.ts'
import { FollowedServer } from './followed-server.ts'
import { openMcpPlace } from './mcp-place.ts'
import { findRunningServer } from './running-server.ts'
import { startServer } from './start-server.ts'

/** Any that the server takes for its own. */
const ADDRESS = 'http://localhost'

export async function serveMcpClient(call: CommandCall): Promise<ExitCode> {
  const { place, options, streams } = call
  const { gateway } = await openMcpPlace(options)
  const key = await readAgentKey(call, gateway.agent)
  const found = (await findRunningServer(place)) ?? (await startServer(call))
  const server = new FollowedServer(place, found)
  const agent = await connectAgent({
    url: ADDRESS,
    fetch: server.fetch,
    agent: gateway.agent,
    key,
    tenant: place.tenant,
    onError: (error) => void streams.stderr.write(`${String(error)}\n`),
  })
  if (agent.state.kind !== 'ready')
    throw new CliFailure({
      code: 'AGENT_REFUSED',
      summary: `\`${gateway.agent}\` may not act`,
      why: agent.state.problem?.title ?? 'its connection has ended',
      fix: `see \`rubicon agents show ${gateway.agent}\``,
    })
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

/** Where `keys register --out` puts it when nobody says otherwise. */
export function findKeyFile({ place, options }: CommandCall, agent: string): string {
  const state = resolve(place.state ?? resolveStateDirectory(place.store))
  return options.text('key') ?? join(state, 'agents', `${agent}.pem`)
}

async function readAgentKey(call: CommandCall, agent: string): Promise<AgentKey> {
  const file = findKeyFile(call, agent)
  if (!existsSync(file))
    throw new CliFailure({
      code: 'KEY_MISSING',
      summary: `the key of \`${agent}\` is not at ${file}`,
      why: 'a client acts in the name of an agent, and signs as it',
      fix: `rubicon keys register --purpose agent --subject ${agent} --out ${file}`,
    })
  return parseAgentKey(readFileSync(file, 'utf8'))
}
