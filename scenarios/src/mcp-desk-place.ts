/** The desk of `mcp-desk`: five servers behind a gateway, a runtime over it, and a client in front. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { type AgentAnswer, type AgentConnection, connectInProcess } from 'rubicon-agents'
import { isObject, type JsonObject } from 'rubicon-kernel'
import {
  compareTools,
  createFront,
  type Gateway,
  openGateway,
  parseMcpConfig,
  TOOL_CLASSES,
  type ToolClassName,
  type ToolLock,
} from 'rubicon-mcp'
import type { Runtime } from 'rubicon-runtime/compose'
import { nodeCrypto } from 'rubicon-verifier'

export const DESK = 'support_desk'

/** What a person said of the tool of each server. */
const CLASSES: Readonly<Record<string, ToolClassName>> = {
  pages: 'read',
  mail: 'destroy',
  notes: 'write',
  shop: 'destroy',
  crm: 'write',
}

function openServers(folder: string, lock: ToolLock): Gateway {
  const here = import.meta.url
  const program = fileURLToPath(new URL(`./mcp-desk-server${extname(here)}`, here))
  const config = parseMcpConfig({
    agent: DESK,
    servers: Object.fromEntries(
      Object.keys(CLASSES).map((name) => [
        name,
        {
          command: [
            process.execPath,
            '--disable-warning=ExperimentalWarning',
            program,
            name,
            folder,
          ],
        },
      ]),
    ),
  })
  if (!config.ok) throw new Error(JSON.stringify(config.error))
  const opened = openGateway(config.value, lock, nodeCrypto.sha256)
  if (!opened.ok) throw new Error(opened.error.summary)
  return opened.value
}

/** Somebody looks at all tools as they are now, and says what each of them is. */
export async function agreeToTools(folder: string): Promise<ToolLock> {
  const gateway = openServers(folder, { tools: [] })
  try {
    const compared = await compareTools(gateway.servers, { tools: [] }, nodeCrypto.sha256)
    const tools = compared.flatMap(({ server, found }) => {
      const said = CLASSES[server]
      if (found === undefined || said === undefined) return []
      return [{ server, definition: found, class: TOOL_CLASSES[said] }]
    })
    return { tools }
  } finally {
    await gateway.close()
  }
}

export function openDesk(folder: string, lock: ToolLock): Gateway {
  return openServers(folder, lock)
}

export type DeskClient = {
  call(name: string, args: JsonObject): Promise<DeskAnswer>
  close(): Promise<void>
}

export type DeskAnswer = {
  /** As the gateway tells the client; absent where it passes on what the tool said. */
  readonly code: string | undefined
  readonly dfid: string
  readonly text: string
  /** What the runtime decided, if it was asked. */
  readonly decided: AgentAnswer | undefined
}

/** An MCP client in front of the gateway. */
export async function connectClient(runtime: Runtime, gateway: Gateway): Promise<DeskClient> {
  const decided: AgentAnswer[] = []
  const inner = connectInProcess(runtime, { agent: DESK })
  const agent: AgentConnection = {
    ...inner,
    async act(...given) {
      const answer = await inner.act(...given)
      decided.push(answer)
      return answer
    },
  }
  const front = createFront({
    agent,
    tools: () => gateway.tools,
    showFlow: (dfid) => `/flows/${dfid}`,
  })
  const client = new Client({ name: 'desk', version: '1' })
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await front.connect(ours)
  await client.connect(theirs)
  return {
    async call(name, args) {
      const { _meta: meta, content } = await client.callTool({ name, arguments: { ...args } })
      const said = isObject(meta as JsonObject) ? (meta as JsonObject) : {}
      const dfid = String(said['rubicon/dfid'] ?? '')
      const code = said['rubicon/code']
      return {
        code: typeof code === 'string' ? code : undefined,
        dfid,
        text: content.map((part) => (part.type === 'text' ? part.text : '')).join('\n'),
        decided: decided.find((answer) => answer.dfid === dfid),
      }
    },
    close: () => client.close(),
  }
}

/** What the tool of a server has really done, one line a call. */
export function listDone(folder: string, server: string): readonly string[] {
  const file = join(folder, `${server}.log`)
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
}

/** From now on the server dies in the middle of a call. */
export function breakServer(folder: string, server: string): void {
  writeFileSync(join(folder, `${server}.crash`), '')
}
