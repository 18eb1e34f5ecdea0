/**
 * Everybody who listens to the ledger of one tenant. While somebody does, it looks again and again
 * whether there is more: other processes may write to the same store, and entries may get their
 * places some time after they were committed, so that no call of ours could tell.
 *
 * H1 while nobody listens, nothing is read and no timer runs.
 * H2 there are so many streams at most, and so many of one principal.
 */
import { LIMITS } from 'rubicon-kernel'
import type { Clock } from 'rubicon-runtime/ports'
import type { AnswerStream } from '../schemas/route.ts'
import { EventLog, type EventSource } from './event-log.ts'
import { EventStream, type Listener } from './event-stream.ts'

export type HubParts = {
  readonly store: EventSource
  readonly clock: Pick<Clock, 'monotonic' | 'after'>
  readonly report: (line: string) => void
}

export type Subscription = Omit<Listener, 'from'> & {
  /** The last leaf that was seen; absent: only what comes now. */
  readonly after?: number
}

export class EventHub {
  readonly #parts: HubParts
  readonly #log: EventLog
  readonly #streams = new Set<EventStream>()
  #isWatching = false
  #hasFailed = false

  constructor(parts: HubParts) {
    this.#parts = parts
    this.#log = new EventLog(parts.store, parts.clock)
  }

  /** A stream to be started now; null: there are too many. */
  async open({ after, ...listener }: Subscription): Promise<AnswerStream | null> {
    const { store, clock, report } = this.#parts
    const count = await store.countLeaves()
    if (!this.#hasRoom(listener.name)) return null
    // A leaf that was never written is of another ledger, or of one that was restored.
    const from = after === undefined ? count : Math.min(after + 1, count)
    const stream = new EventStream({ ...listener, from }, { log: this.#log, clock, report })
    this.#streams.add(stream)
    return {
      start: (response) => {
        response.on('close', () => this.#streams.delete(stream))
        if (response.destroyed) this.#streams.delete(stream)
        void this.#watch(count)
        if (!response.destroyed) stream.start(response)
      },
      stop: (why) => stream.stop(why),
    }
  }

  #hasRoom(name: string): boolean {
    if (this.#streams.size >= LIMITS.eventStreams) return false
    const own = [...this.#streams].filter(({ listener }) => listener.name === name)
    return own.length < LIMITS.eventStreamsEach
  }

  async #watch(count: number): Promise<void> {
    if (this.#isWatching) return
    this.#isWatching = true
    this.#log.begin(count)
    const { clock } = this.#parts
    let beatAt = clock.monotonic() + LIMITS.eventBeatMs
    while (this.#streams.size > 0) {
      await clock.after(LIMITS.eventLookMs, true).elapsed
      // Whoever listened may be gone, and the store with them.
      if (this.#streams.size === 0) break
      await this.#look()
      if (clock.monotonic() < beatAt) continue
      beatAt = clock.monotonic() + LIMITS.eventBeatMs
      for (const stream of this.#streams) void stream.sendHeartbeat()
    }
    this.#isWatching = false
  }

  async #look(): Promise<void> {
    try {
      const isNew = await this.#log.follow()
      if (isNew) for (const stream of this.#streams) stream.wake()
      this.#hasFailed = false
    } catch (error) {
      // A store that does not answer now may answer soon. It is said once.
      const why = error instanceof Error ? error.message : String(error)
      if (!this.#hasFailed) this.#parts.report(`rubicon: the ledger cannot be followed: ${why}`)
      this.#hasFailed = true
    }
  }
}
