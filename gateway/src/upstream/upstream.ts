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
  type ProgressCallback,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client'
import { type JsonObject, LIMITS, type McpReadExecutor, shorten } from 'rubicon-kernel'
import type { EffectIo } from 'rubicon-runtime/ports'
import { createRedaction, type Redaction } from 'rubicon-runtime/tools'
import { MCP_LIMITS } from '../mcp-limits.ts'
import { type CallProgress, LIST_NAMES } from '../notices/server-notice.ts'
import { readPackageVersion } from '../package-version.ts'
import { ErrorOutput } from './error-output.ts'
import { fetchBounded } from './fetch-bounded.ts'
import { followNotices, type NoticeHandlers, subscribeToLists } from './follow-notices.ts'
import { type ListedTools, readTools } from './list-tools.ts'
import { readThings, type ThingList } from './listed-things.ts'
import { ProgramTransport } from './program-transport.ts'
import { createPinnedSend } from './send-pinned.ts'
import type { ServerConfig } from './server-config.ts'

/** Texts as they are sent, and what in them must not be seen again. */
export type FilledTexts = {
  readonly texts: Readonly<Record<string, string>>
  readonly secrets: readonly string[]
}

export type ServerStatus = 'absent' | 'connected' | 'waiting'

/** `onChanged`: also when it has ended, and when it is there again. */
export type UpstreamOptions = Partial<NoticeHandlers> & {
  /** Its variables or headers, with secrets in their places; read when a connection is made. */
  readonly readTexts: (config: ServerConfig) => Promise<FilledTexts>
  readonly now?: () => number
}

/** The library's newest is that of the older era. */
const MODERN_VERSION = '2026-07-28'

const ERAS = { legacy: 'legacy', modern: { pin: MODERN_VERSION } } as const

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
  #isUp = false

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

  get isClosed(): boolean {
    return this.#isClosed
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
  async callTool(tool: string, args: JsonObject, bounds: CallBounds): Promise<object> {
    // Not `callTool`, which throws away a result that does not fit its schema: that the call was answered is known.
    return this.#send('tools/call', { name: tool, arguments: args }, bounds)
  }

  /** A resource or a prompt, as the library read it. */
  async read(
    method: McpReadExecutor['method'],
    params: JsonObject,
    bounds: CallBounds,
  ): Promise<object> {
    return this.#send(method, params, bounds)
  }

  /** What it offers beside its tools, as it says now. */
  async listThings(list: ThingList): Promise<readonly JsonObject[]> {
    const { client } = await this.#connect()
    return readThings(client, list, this.redaction).catch((cause: unknown) => {
      leaveForgotten(client, cause)
      throw new ServerAbsent(`\`${this.name}\` does not list its ${list}: ${this.describe(cause)}`)
    })
  }

  async #send(
    method: McpReadExecutor['method'] | 'tools/call',
    params: JsonObject,
    { io, timeoutMs, markSent, onProgress }: CallBounds,
  ): Promise<object> {
    const { client } = await this.#connect()
    // Read here and not before: a process that slept is told by the clock, when it looks.
    const { signal } = io
    if (signal.aborted) throw new ServerAbsent('its time was over before it was sent')
    markSent()
    const asked = client.request(
      { method, params: params as JSONObject },
      {
        signal,
        timeout: timeoutMs,
        ...(onProgress === undefined ? {} : { onprogress: this.#createProgress(onProgress) }),
      },
    )
    return asked.catch((cause: unknown) => {
      leaveForgotten(client, cause)
      throw cause
    })
  }

  #createProgress(onProgress: (progress: CallProgress) => void): ProgressCallback {
    return ({ progress, total, message }) =>
      onProgress({
        progress,
        ...(total === undefined ? {} : { total }),
        ...(message === undefined ? {} : { message: this.describe(message) }),
      })
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
      { name: 'rubicon', version: readPackageVersion() },
      {
        capabilities: {},
        versionNegotiation: { mode: ERAS[this.config.era] },
        // Nobody is asked for anything on behalf of a server.
        inputRequired: { autoFulfill: false },
      },
    )
    const connection: Connection = { client, listed: null }
    followNotices(client, this.redaction, {
      onChanged: (list) => {
        if (list === 'tools') connection.listed = null
        this.#options.onChanged?.(list)
      },
      onLog: (log) => this.#options.onLog?.(log),
    })
    client.onclose = release
    this.#client = client
    await client.connect(this.#createTransport(texts), { timeout: MCP_LIMITS.connectMs })
    this.#connectedAt = this.#readTime()
    this.#connected += 1
    this.#isUp = true
    if (this.#pauseMs > 0) this.#tellAllChanged()
    // One that cannot say so is asked again before every call.
    if (this.config.era === 'modern') void subscribeToLists(client).catch(() => {})
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
    if (this.#isUp) this.#tellAllChanged()
    this.#isUp = false
  }

  #tellAllChanged(): void {
    if (!this.#isClosed) for (const list of LIST_NAMES) this.#options.onChanged?.(list)
  }
}

export type CallBounds = {
  readonly io: Pick<EffectIo, 'signal'>
  readonly timeoutMs: number
  /** From here on it may have happened. */
  readonly markSent: () => void
  readonly onProgress?: (progress: CallProgress) => void
}

/** Nothing was sent: there is no connection, no list, or no time. */
export class ServerAbsent extends Error {
  override readonly name = 'ServerAbsent'
}

/** A server that was started again has forgotten the session, and would refuse everything in it. */
function leaveForgotten(client: Client, cause: unknown): void {
  if (cause instanceof SdkHttpError && cause.status === 404) void client.close()
}

function describeCause(cause: unknown): string {
  if (cause instanceof SdkError && cause.code === SdkErrorCode.RequestTimeout)
    return 'it did not answer in time'
  return cause instanceof Error ? cause.message : String(cause)
}
