/** An agent whose key lies on this machine, at the server that runs on the store: the command signs as it, and has no other authority. */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type AgentKey, connectAgent, parseAgentKey } from 'rubicon-agents'
import { resolveStateDirectory } from 'rubicon-runtime/compose'
import type { CommandCall } from './call.ts'
import { CliFailure } from './failure.ts'
import type { FollowedServer } from './followed-server.ts'

/** Any that the server takes for its own. */
const ADDRESS = 'http://localhost'

type ConnectedAgent = Awaited<ReturnType<typeof connectAgent>>

/** Whoever connects closes it. */
export async function connectKeyedAgent(
  { place, streams }: Pick<CommandCall, 'place' | 'streams'>,
  server: Pick<FollowedServer, 'fetch'>,
  name: string,
  key: AgentKey,
): Promise<ConnectedAgent> {
  const agent = await connectAgent({
    url: ADDRESS,
    fetch: server.fetch,
    agent: name,
    key,
    tenant: place.tenant,
    onError: (error) => void streams.stderr.write(`${String(error)}\n`),
  })
  if (agent.state.kind === 'ready') return agent
  const why = agent.state.problem?.title ?? 'its connection has ended'
  await agent.close()
  throw new CliFailure({
    ...{ code: 'AGENT_REFUSED', summary: `\`${name}\` may not act`, why },
    fix: `see \`rubicon agents show ${name}\``,
  })
}

/** Where `keys register --out` puts it when nobody says otherwise. */
export function findKeyFile({ place, options }: CommandCall, agent: string): string {
  const state = resolve(place.state ?? resolveStateDirectory(place.store))
  return options.text('key') ?? join(state, 'agents', `${agent}.pem`)
}

export async function readAgentKey(call: CommandCall, agent: string): Promise<AgentKey> {
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
