/**
 * `rubicon flows watch`: entries as they are written; one JSON value a line with --json.
 *
 * The stream of events says which entries there are, in the order of the ledger; what they say is read from the API, a page of
 * a trajectory at a time.
 */
import type { ClientOptions } from 'rubicon-agents'
import type { Client, LedgerEntry } from 'rubicon-agents/client'
import { type EntryEvent, type Listening, listen } from 'rubicon-agents/events'
import { assert, LIMITS } from 'rubicon-kernel'
import { executeAsReader } from './as-reader.ts'
import type { CommandCall } from './call.ts'
import { formatEntry, type ShownEntry, toShownEntry } from './entry-text.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { CliFailure } from './failure.ts'
import { SYMBOLS } from './output.ts'
import { toProblemFailure, unwrapAnswer } from './server-answer.ts'

/** Events that wait to be shown; with more, nothing is read on until they are. */
const MOST_WAITING = 1_000

export async function watch(call: CommandCall): Promise<ExitCode> {
  const { options, out } = call
  const stop = new AbortController()
  const interrupt = (): void => stop.abort()
  process.once('SIGINT', interrupt)
  try {
    await executeAsReader(call, async (client, asks) => {
      const written = await countLeaves(client)
      const from = options.count('from', written)
      const show = (entry: ShownEntry): void => {
        out.line(formatEntry(entry))
        out.row(entry)
      }
      const following = { client, asks, show, stop: stop.signal }
      if (options.hasFlag('untilIdle')) return followUntilIdle(following, from)
      out.note(`${SYMBOLS.info} watching; Ctrl-C ends it`)
      await follow(following, from, null)
    })
  } finally {
    process.off('SIGINT', interrupt)
  }
  return EXIT.done
}

type Following = {
  readonly client: Client
  readonly asks: ClientOptions
  readonly show: (entry: ShownEntry) => void
  readonly stop: AbortSignal
}

/** Until what is there has been shown, and nothing came meanwhile. */
async function followUntilIdle(following: Following, from: number): Promise<void> {
  let next = from
  for (;;) {
    const written = await countLeaves(following.client)
    if (next >= written || following.stop.aborted) return
    await follow(following, next, written)
    next = written
  }
}

/** Entries that have their place in the ledger. */
async function countLeaves(client: Client): Promise<number> {
  const query = { limit: '1' }
  const [newest] = unwrapAnswer(await client.findEntries({ query })).entries
  return newest?.leaf === undefined || newest.leaf === null ? 0 : newest.leaf + 1
}

/** Shows entries from one leaf on, and before another; null: until it is told to stop. */
function follow(following: Following, from: number, end: number | null): Promise<void> {
  const { asks, show, stop } = following
  const reader = new EntryReader(following.client)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const waiting: EntryEvent[] = []
  let isShowing = false
  let isEnded = false
  const finish = (error?: unknown): void => {
    isEnded = true
    listening.stop()
    if (error === undefined) resolve()
    else reject(error)
  }
  const showWaiting = async (): Promise<void> => {
    isShowing = true
    for (let event = waiting.shift(); event !== undefined && !isEnded; event = waiting.shift()) {
      if (end !== null && event.leaf >= end) return finish()
      show(await reader.read(event))
      if (event.leaf + 1 === end) return finish()
    }
    isShowing = false
    if (!isEnded) listening.resume()
  }
  const listening: Listening = listen({
    ...asks,
    after: from - 1,
    onEvent: (event) => {
      waiting.push(event)
      if (waiting.length >= MOST_WAITING) listening.pause()
      if (!isShowing) showWaiting().catch(finish)
    },
    onRefused: (problem) => finish(new CliFailure(toProblemFailure(problem))),
  })
  stop.addEventListener('abort', () => finish(), { once: true })
  if (stop.aborted) finish()
  return promise
}

/** What entries say, read a page of their trajectory at a time. */
class EntryReader {
  readonly #client: Client
  readonly #pages = new Map<string, Map<number, LedgerEntry>>()

  constructor(client: Client) {
    this.#client = client
  }

  async read({ trajectory, seq, leaf }: EntryEvent): Promise<ShownEntry> {
    const known = this.#pages.get(trajectory)?.get(seq)
    const entry = known ?? (await this.#readPage(trajectory, seq)).get(seq)
    assert(entry !== undefined, 'an entry that was written is there')
    return toShownEntry({ ...entry, leaf })
  }

  async #readPage(trajectory: string, from: number): Promise<Map<number, LedgerEntry>> {
    const params = { id: trajectory }
    const query = { from: String(from), limit: String(LIMITS.listed) }
    const { entries } = unwrapAnswer(await this.#client.listTrajectoryEntries({ params, query }))
    const page = new Map(entries.map((entry) => [entry.seq, entry]))
    this.#pages.set(trajectory, page)
    return page
  }
}
