/**
 * Listens to the runtime: each entry of the ledger rings once. What rings is a bell; what it means is
 * read from the API.
 *
 * Boundary: in a browser and in Node, by fetch; it holds no more than where it is.
 *
 * 1. Whatever happens to the connection, the next one begins behind the last leaf that was seen: no
 *    event is lost or comes twice.
 * 2. A connection on which nothing is heard, not even a heartbeat, is given up.
 */
import { type AnyProblem, type ClientOptions, createCall } from './call.ts'
import { sleepMs } from './sleep-ms.ts'
import { SseParser } from './sse-parser.ts'

export type EntryEvent = {
  readonly leaf: number
  readonly trajectory: string
  readonly seq: number
  readonly id: string
  readonly kind: string
  readonly at: string
  readonly dfid: string | null
  readonly agent_id: string | null
  /** The reason, where there is one. */
  readonly code: string | null
}

/** Several are joined by commas. */
export type EventFilters = {
  readonly dfid?: string
  readonly agent?: string
  readonly kind?: string
}

export type ListenState = 'connecting' | 'live' | 'reconnecting'

export type ListenOptions = ClientOptions & {
  readonly filters?: EventFilters
  /** Only what comes behind this leaf; without it, what comes from now on. */
  readonly after?: number
  readonly onEvent: (event: EntryEvent) => void
  readonly onState?: (state: ListenState) => void
  /** It will not try again: asking once more would not help. */
  readonly onRefused?: (problem: AnyProblem) => void
  /** Whether asking once more would help after all, such as in a new session; it is then tried again. */
  readonly recover?: (problem: AnyProblem) => Promise<boolean>
  /** How it waits before it tries again. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>
}

export type Listening = {
  readonly stop: () => void
  /** Hangs up. What happens meanwhile is heard after `resume`. */
  readonly pause: () => void
  readonly resume: () => void
}

/** Heartbeats come every fifteen seconds. */
const SILENCE_MS = 40_000
const RETRY_LEAST_MS = 500
const RETRY_MOST_MS = 15_000

export function listen(options: ListenOptions): Listening {
  const ear = new Ear(options)
  ear.resume()
  return {
    pause: () => ear.stopListening(),
    resume: () => ear.resume(),
    stop: () => ear.stopListening(),
  }
}

class Ear {
  readonly #options: ListenOptions
  /** Aborted: this connection is over. Null: nobody listens. */
  #connection: AbortController | null = null
  #leaf: number | undefined
  #failures = 0
  #isRefused = false

  constructor(options: ListenOptions) {
    this.#options = options
    this.#leaf = options.after
  }

  resume(): void {
    if (this.#connection !== null || this.#isRefused) return
    this.#connection = new AbortController()
    void this.#run(this.#connection)
  }

  stopListening(): void {
    this.#connection?.abort()
    this.#connection = null
  }

  async #run(connection: AbortController): Promise<void> {
    const { signal } = connection
    while (!signal.aborted) {
      this.#options.onState?.(this.#failures === 0 ? 'connecting' : 'reconnecting')
      await this.#connect(signal)
      this.#failures += 1
      const { wait = sleepMs } = this.#options
      if (!signal.aborted) await wait(this.#computeRetryDelay(), signal)
    }
  }

  /** Longer with each failure, and not for all at the same time. */
  #computeRetryDelay(): number {
    const longest = Math.min(RETRY_MOST_MS, RETRY_LEAST_MS * 2 ** (this.#failures - 1))
    return longest * (0.5 + Math.random() / 2)
  }

  /** Until the connection ends. */
  async #connect(outer: AbortSignal): Promise<void> {
    const silence = new AbortController()
    const signal = AbortSignal.any([outer, silence.signal])
    let timer = setTimeout(() => silence.abort(), SILENCE_MS)
    try {
      const { filters, onRefused, recover } = this.#options
      const query = { ...filters, ...(this.#leaf === undefined ? {} : { after: `${this.#leaf}` }) }
      const call = createCall(this.#options)
      const answer = await call<ReadableStream<Uint8Array>>(
        'GET',
        '/v1/events',
        { query, signal },
        'stream',
      )
      if (!answer.ok && isFinal(answer.problem)) {
        if ((await recover?.(answer.problem)) === true) return
        this.#isRefused = true
        this.stopListening()
        return onRefused?.(answer.problem)
      }
      if (!answer.ok) return
      const parser = new SseParser()
      for await (const text of decodeText(answer.body)) {
        clearTimeout(timer)
        timer = setTimeout(() => silence.abort(), SILENCE_MS)
        if (outer.aborted) return
        this.#hear(parser, text)
      }
    } catch {
      // The connection broke. The next one begins where this one ended.
    } finally {
      clearTimeout(timer)
    }
  }

  #hear(parser: SseParser, text: string): void {
    for (const { event, data } of parser.push(text)) {
      if (event === 'hello') this.#greet(parseHello(data).leaf)
      if (event !== 'entry') continue
      const entry = parseEntry(data)
      if (this.#leaf !== undefined && entry.leaf <= this.#leaf) continue
      this.#leaf = entry.leaf
      this.#options.onEvent(entry)
    }
    // Of what was filtered out the heartbeats tell how far it went.
    const passed = Number(parser.id)
    if (this.#leaf !== undefined && passed > this.#leaf) this.#leaf = passed
  }

  /** A ledger that was restored ends before the leaf that was seen last. */
  #greet(leaf: number): void {
    this.#leaf = leaf
    this.#failures = 0
    this.#options.onState?.('live')
  }
}

/** Who may not ask, or asks for what is not there, hears the same again. */
function isFinal({ status }: AnyProblem): boolean {
  return status >= 400 && status < 500 && status !== 429 && status !== 408
}

async function* decodeText(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for await (const chunk of body) yield decoder.decode(chunk, { stream: true })
}

function parseHello(data: string): { readonly leaf: number } {
  return JSON.parse(data) as { readonly leaf: number }
}

function parseEntry(data: string): EntryEvent {
  return JSON.parse(data) as EntryEvent
}
