/**
 * One server behind the gateway: connected when it is first needed, and again when it has ended, after a pause that
 * grows. It is asked for its tools anew after every connection and whenever it says that they have changed.
 *
 * 1. It gets nothing from the gateway but calls: what it asks for itself (sampling, roots, elicitation) is not offered,
 *    and so refused by the library.
 * 2. A call is sent once. Whoever does not get an answer does not know whether it happened.
 */
import {
  Client,
  type JSONObject,
  LATEST_PROTOCOL_VERSION,
  SdkError,
  SdkErrorCode,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { type JsonObject, type JsonValue, LIMITS } from 'rubicon-kernel'
import { createRedaction, type Redaction } from 'rubicon-runtime/tools'
import { parseDefinition, type ToolDefinition } from '../definition/tool-definition.ts'
import { MCP_LIMITS } from '../mcp-limits.ts'
import { ErrorOutput } from './error-output.ts'
import type { ServerConfig } from './server-config.ts'

/** What is known of a server's tools: those that can be governed, and why others cannot. */
export type ListedTools = {
  readonly definitions: ReadonlyMap<string, ToolDefinition>
  readonly refused: readonly { readonly name: string; readonly why: string }[]
}

/** Texts as they are sent, and what in them must not be seen again. */
export type FilledTexts = {
  readonly texts: Readonly<Record<string, string>>
  readonly secrets: readonly string[]
}

export type ServerStatus = 'absent' | 'connected' | 'waiting'

export type UpstreamOptions = {
  /** Its variables or headers, with secrets in their places; read when a connection is made. */
  readonly readTexts: (config: ServerConfig) => Promise<FilledTexts>
  readonly now?: () => number
  readonly onListChanged?: () => void
}

const ERAS = { legacy: 'legacy', modern: { pin: LATEST_PROTOCOL_VERSION } } as const

/** A list that is older is asked for again before a call: not every server says that it has changed. */
const LISTED_MS = 1_000

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 30_000

type Connection = {
  readonly client: Client
  listed: { readonly at: number; readonly tools: Promise<ListedTools> } | null
}

export class Upstream {
  readonly name: string
  readonly config: ServerConfig
  readonly errors: ErrorOutput = new ErrorOutput()
  /** Of what it was given when it was connected last. */
  redaction: Redaction = createRedaction([])
  readonly #options: UpstreamOptions
  #connection: Promise<Connection> | null = null
  #pauseMs = 0
  #notBefore = 0
  #isClosed = false

  constructor(name: string, config: ServerConfig, options: UpstreamOptions) {
    this.name = name
    this.config = config
    this.#options = options
  }

  get status(): ServerStatus {
    if (this.#connection !== null) return 'connected'
    return this.#notBefore > this.#readTime() ? 'waiting' : 'absent'
  }

  async listTools(): Promise<ListedTools> {
    const connection = await this.#connect()
    const { listed } = connection
    if (listed !== null && this.#readTime() - listed.at < LISTED_MS) return listed.tools
    const tools = readTools(connection.client)
    connection.listed = { at: this.#readTime(), tools }
    tools.catch(() => {
      connection.listed = null
    })
    return tools
  }

  /** The result as the server said it. What is thrown after `markSent` leaves open whether it happened. */
  async callTool(
    tool: string,
    args: JsonObject,
    { signal, timeoutMs, markSent }: CallBounds,
  ): Promise<JsonObject> {
    const { client } = await this.#connect()
    markSent()
    // Not `callTool`, which throws away a result that does not fit its schema: that the call was answered is known.
    const result = await client.request(
      { method: 'tools/call', params: { name: tool, arguments: args as JSONObject } },
      { signal, timeout: timeoutMs },
    )
    return toJson(result)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const connection = await this.#connection?.catch(() => null)
    await connection?.client.close()
  }

  #readTime(): number {
    return (this.#options.now ?? Date.now)()
  }

  #connect(): Promise<Connection> {
    if (this.#isClosed) return Promise.reject(new ServerAbsent(`\`${this.name}\` was closed`))
    if (this.#connection === null && this.#readTime() < this.#notBefore)
      return Promise.reject(new ServerAbsent(`\`${this.name}\` ended, and is started again later`))
    this.#connection ??= this.#open().catch((cause: unknown) => {
      this.#pause()
      throw new ServerAbsent(`\`${this.name}\` cannot be reached: ${describeCause(cause)}`)
    })
    return this.#connection
  }

  async #open(): Promise<Connection> {
    const { texts, secrets } = await this.#options.readTexts(this.config)
    this.redaction = createRedaction(secrets)
    const client = new Client(
      { name: 'rubicon', version: '0.2.0' },
      {
        capabilities: {},
        versionNegotiation: { mode: ERAS[this.config.era] },
        // Nobody is asked for anything on behalf of a server.
        inputRequired: { autoFulfill: false },
      },
    )
    const connection: Connection = { client, listed: null }
    client.setNotificationHandler('notifications/tools/list_changed', () => {
      connection.listed = null
      this.#options.onListChanged?.()
    })
    client.onclose = () => this.#pause()
    await client.connect(this.#createTransport(texts), { timeout: LIMITS.toolMs })
    this.#pauseMs = 0
    return connection
  }

  #createTransport(texts: Readonly<Record<string, string>>): Transport {
    const { config } = this
    if (config.kind === 'address')
      return new StreamableHTTPClientTransport(new URL(config.url), {
        requestInit: { headers: texts, redirect: 'error' },
      })
    const [command = '', ...args] = config.argv
    const transport = new StdioClientTransport({
      ...{ command, args, env: { ...texts }, stderr: 'pipe' },
      ...(config.cwd === undefined ? {} : { cwd: config.cwd }),
    })
    this.errors.follow(transport.stderr)
    return transport
  }

  #pause(): void {
    this.#connection = null
    this.#pauseMs = Math.min(Math.max(this.#pauseMs * 2, FIRST_PAUSE_MS), LONGEST_PAUSE_MS)
    this.#notBefore = this.#readTime() + this.#pauseMs
  }
}

export type CallBounds = {
  readonly signal: AbortSignal
  readonly timeoutMs: number
  /** From here on it may have happened. */
  readonly markSent: () => void
}

/** Nothing was sent: there is no connection. */
export class ServerAbsent extends Error {
  override readonly name = 'ServerAbsent'
}

async function readTools(client: Client): Promise<ListedTools> {
  const { tools } = await client.listTools()
  const definitions = new Map<string, ToolDefinition>()
  const refused: { readonly name: string; readonly why: string }[] = []
  for (const said of tools.slice(0, MCP_LIMITS.listed)) {
    const parsed = parseDefinition(toJson(said))
    if (parsed.ok) definitions.set(parsed.value.name, parsed.value)
    else refused.push({ name: String(said.name), why: parsed.error })
  }
  return refuseCollisions({ definitions, refused })
}

/** Two names that differ in case alone would be taken for each other by whoever approves one of them. */
function refuseCollisions({ definitions, refused }: ListedTools): ListedTools {
  const groups = Map.groupBy(definitions.keys(), (name) => name.toLowerCase())
  const twice = [...groups.values()].filter((names) => names.length > 1).flat()
  return {
    definitions: new Map([...definitions].filter(([name]) => !twice.includes(name))),
    refused: [
      ...refused,
      ...twice.map((name) => ({ name, why: 'another tool has the same name in other case' })),
    ],
  }
}

/** What arrived was JSON; the library's types say less. */
function toJson(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject & Record<string, JsonValue>
}

function describeCause(cause: unknown): string {
  if (cause instanceof SdkError && cause.code === SdkErrorCode.RequestTimeout)
    return 'it did not answer in time'
  return cause instanceof Error ? cause.message : String(cause)
}
