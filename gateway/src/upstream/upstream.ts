/**
 * One server behind the gateway: connected when it is first needed, and again when it has ended, after a pause that
 * grows until it has stayed for a while. It is asked for its tools anew after every connection and whenever it says that they have changed.
 *
 * 1. It gets nothing from the gateway but calls: what it asks for itself (sampling, roots, elicitation) is not offered,
 *    and so refused by the library.
 * 2. A call is sent once, and not after its time is over. Whoever does not get an answer does not know whether it happened.
 * 3. What it says of an error is told without its secrets, and shortened.
 * 4. A connection that ends takes no other one with it: a program that takes long to end may do so after the next has
 *    started, which nobody would close any more.
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
import { checkJson, isObject, type JsonObject, LIMITS, shorten } from 'rubicon-kernel'
import type { EffectIo } from 'rubicon-runtime/ports'
import { createRedaction, type Redaction } from 'rubicon-runtime/tools'
import type { ToolDefinition } from '../definition/tool-definition.ts'
import { MCP_LIMITS } from '../mcp-limits.ts'
import { ErrorOutput } from './error-output.ts'
import { fetchBounded } from './fetch-bounded.ts'
import { ProgramTransport } from './program-transport.ts'
import { describeName, readDefinition } from './read-definition.ts'
import { createPinnedSend } from './send-pinned.ts'
import type { ServerConfig } from './server-config.ts'

/** What is known of a server's tools: those that can be governed, and why others cannot. */
export type ListedTools = {
  readonly definitions: ReadonlyMap<string, ToolDefinition>
  readonly refused: readonly RefusedTool[]
}

export type RefusedTool = { readonly name: string; readonly why: string }

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

/** One that was connected for so long is taken to work: the next pause is the first again. */
const STEADY_MS = 30_000

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
  #secrets: readonly string[] = []
  #connection: Promise<Connection> | null = null
  #client: Client | null = null
  #connectedAt: number | null = null
  #connected = 0
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

  /** How often it was connected again after it had ended. */
  get restarts(): number {
    return Math.max(0, this.#connected - 1)
  }

  async listTools(): Promise<ListedTools> {
    const connection = await this.#connect()
    const { listed } = connection
    if (listed !== null && this.#readTime() - listed.at < LISTED_MS) return listed.tools
    const tools = readTools(connection.client, this.redaction).catch((cause: unknown) => {
      connection.listed = null
      // One that was started again has forgotten the session, and would refuse everything in it.
      if (this.config.kind === 'address') void connection.client.close()
      throw new ServerAbsent(`\`${this.name}\` does not list its tools: ${this.describe(cause)}`)
    })
    connection.listed = { at: this.#readTime(), tools }
    return tools
  }

  /** The result as the library read it. What is thrown after `markSent` leaves open whether it happened. */
  async callTool(
    tool: string,
    args: JsonObject,
    { io, timeoutMs, markSent }: CallBounds,
  ): Promise<object> {
    const { client } = await this.#connect()
    // Read here and not before: a process that slept is told by the clock, when it looks.
    const { signal } = io
    if (signal.aborted) throw new ServerAbsent('its time was over before it was sent')
    markSent()
    // Not `callTool`, which throws away a result that does not fit its schema: that the call was answered is known.
    return client.request(
      { method: 'tools/call', params: { name: tool, arguments: args as JSONObject } },
      { signal, timeout: timeoutMs },
    )
  }

  /** What may be told of an error: servers quote what they were given, and as much of it as they like. */
  describe(cause: unknown): string {
    return shorten(this.redaction.redactText(describeCause(cause)), LIMITS.toolRefusalLength)
  }

  /** Also while it is being connected: a server that does not answer is not waited for. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#client?.close()
    await this.#connection?.catch(() => null)
  }

  #readTime(): number {
    return (this.#options.now ?? Date.now)()
  }

  #connect(): Promise<Connection> {
    if (this.#isClosed) return Promise.reject(new ServerAbsent(`\`${this.name}\` was closed`))
    if (this.#connection === null && this.#readTime() < this.#notBefore)
      return Promise.reject(new ServerAbsent(`\`${this.name}\` ended, and is started again later`))
    if (this.#connection !== null) return this.#connection
    const release = (): void => this.#release(opened)
    const opened: Promise<Connection> = this.#open(release).catch((cause: unknown) => {
      release()
      throw new ServerAbsent(`\`${this.name}\` cannot be reached: ${this.describe(cause)}`)
    })
    this.#connection = opened
    return opened
  }

  async #open(release: () => void): Promise<Connection> {
    const { texts, secrets } = await this.#options.readTexts(this.config)
    if (this.#isClosed) throw new Error('it was closed')
    // Also of those before: what the last connection said may be told after this one was made.
    this.redaction = createRedaction([...new Set([...secrets, ...this.#secrets])])
    this.#secrets = secrets
    this.errors.setRedaction(this.redaction)
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
    client.onclose = release
    this.#client = client
    await client.connect(this.#createTransport(texts), { timeout: MCP_LIMITS.connectMs })
    this.#connectedAt = this.#readTime()
    this.#connected += 1
    return connection
  }

  #createTransport(texts: Readonly<Record<string, string>>): Transport {
    const { config } = this
    if (config.kind === 'address') {
      const send = createPinnedSend(config)
      return new StreamableHTTPClientTransport(new URL(config.url), {
        requestInit: { headers: texts, redirect: 'error' },
        fetch: (url, init) => fetchBounded(url, init, send),
      })
    }
    return new ProgramTransport(config, texts, this.errors)
  }

  #release(ended: Promise<Connection>): void {
    if (this.#connection !== ended) return
    this.#connection = null
    const now = this.#readTime()
    if (this.#connectedAt !== null && now - this.#connectedAt >= STEADY_MS) this.#pauseMs = 0
    this.#connectedAt = null
    this.#pauseMs = Math.min(Math.max(this.#pauseMs * 2, FIRST_PAUSE_MS), LONGEST_PAUSE_MS)
    this.#notBefore = now + this.#pauseMs
  }
}

export type CallBounds = {
  readonly io: Pick<EffectIo, 'signal'>
  readonly timeoutMs: number
  /** From here on it may have happened. */
  readonly markSent: () => void
}

/** Nothing was sent: there is no connection, no list, or no time. */
export class ServerAbsent extends Error {
  override readonly name = 'ServerAbsent'
}

async function readTools(client: Client, redaction: Redaction): Promise<ListedTools> {
  // The library would say so on standard output, among what a command prints as JSON.
  if (client.getServerCapabilities()?.tools === undefined)
    return { definitions: new Map(), refused: [] }
  const { tools } = await client.listTools(undefined, {
    // All pages together: a server that always has another one comes to an end here.
    signal: AbortSignal.timeout(LIMITS.toolMs),
    // How long a list holds is not for the server to say: a definition could change meanwhile.
    cacheMode: 'refresh',
  })
  // Not the first of them: the same name may stand again behind.
  if (tools.length > MCP_LIMITS.listed) throw new Error(`more than ${MCP_LIMITS.listed} tools`)
  const definitions: ToolDefinition[] = []
  const refused: RefusedTool[] = []
  for (const said of tools) {
    const parsed = readDefinition(toJson(said), redaction)
    if (parsed.ok) definitions.push(parsed.value)
    else refused.push({ name: describeName(said.name, redaction), why: parsed.error })
  }
  return refuseCollisions(definitions, refused)
}

/**
 * Which of two tools of one name is called, only the server knows; and two names that differ in case alone would be
 * taken for each other by whoever approves one of them.
 */
function refuseCollisions(
  definitions: readonly ToolDefinition[],
  refused: readonly RefusedTool[],
): ListedTools {
  const groups = [...Map.groupBy(definitions, ({ name }) => name.toLowerCase()).values()]
  const alone = groups.filter(({ length }) => length === 1).flat()
  const twice = new Set(groups.filter(({ length }) => length > 1).flatMap(listNames))
  return {
    definitions: new Map(alone.map((one) => [one.name, one])),
    refused: [
      ...refused,
      ...[...twice].map((name) => ({
        name,
        why: 'another tool has the same name, or in other case',
      })),
    ],
  }
}

function listNames(definitions: readonly ToolDefinition[]): readonly string[] {
  return definitions.map(({ name }) => name)
}

/** What arrived was JSON; the library's types say less. Undefined: it cannot be recorded, as it is too deep or no text. */
export function toJson(value: object): JsonObject | undefined {
  try {
    const checked = checkJson(JSON.parse(JSON.stringify(value)))
    return checked.ok && isObject(checked.value) ? checked.value : undefined
  } catch {
    return undefined
  }
}

function describeCause(cause: unknown): string {
  if (cause instanceof SdkError && cause.code === SdkErrorCode.RequestTimeout)
    return 'it did not answer in time'
  return cause instanceof Error ? cause.message : String(cause)
}
