/**
 * What one client is sent: every event that it wants, from a leaf on, as fast as it takes them.
 *
 * E1 events go out in the order of the leaves, none twice, none left out.
 * E2 nothing waits here but what was handed to the socket: while that does not drain, nothing is read
 *    for this client. One that does not drain for long is cut off, and finds its place again.
 * E3 whoever may no longer ask is sent nothing more, and cut off: it is asked before each page and with
 *    each heartbeat.
 */
import type { Writable } from 'node:stream'
import { LIMITS } from 'rubicon-kernel'
import type { Clock } from 'rubicon-runtime/ports'
import type { AnswerStream } from '../schemas/route.ts'
import type { EventFilter } from './event-filter.ts'
import type { EventLog } from './event-log.ts'
import { formatFarewell, formatHeartbeat, formatHello } from './event-view.ts'

export type Listener = {
  /** Under which its streams are counted. */
  readonly name: string
  /** The first leaf that it has not seen. */
  readonly from: number
  readonly wants: EventFilter
  /** Whoever asked may still ask. */
  readonly holds: () => Promise<boolean>
}

type Sending = {
  readonly log: EventLog
  readonly clock: Pick<Clock, 'monotonic'>
  readonly report: (line: string) => void
}

export class EventStream implements AnswerStream {
  readonly listener: Listener
  readonly #sending: Sending
  #response: Writable | null = null
  /** The next leaf to look at. */
  #next: number
  #isWoken = false
  #isSending = false
  /** Since when the socket has been full. */
  #fullSince: number | null = null
  #release: () => void = () => {}

  constructor(listener: Listener, sending: Sending) {
    this.listener = listener
    this.#sending = sending
    this.#next = listener.from
  }

  start(response: Writable): void {
    this.#response = response
    response.on('drain', () => this.#resumeAfterDrain())
    response.on('close', () => {
      this.#response = null
      this.#resumeAfterDrain()
    })
    this.#write(formatHello(this.#next - 1))
    this.wake()
  }

  /** There may be something new. */
  wake(): void {
    this.#isWoken = true
    if (!this.#isSending) void this.#send()
  }

  async sendHeartbeat(): Promise<void> {
    if (this.#fullSince !== null) {
      const full = this.#sending.clock.monotonic() - this.#fullSince
      if (full >= LIMITS.eventStallMs) this.#response?.destroy()
    }
    if ((await this.#isHeld()) && this.#fullSince === null)
      this.#write(formatHeartbeat(this.#next - 1))
  }

  /** When nobody can say whether they may, they may not. */
  async #isHeld(): Promise<boolean> {
    const isHeld = await this.listener.holds().catch(() => false)
    if (!isHeld) this.stop('whoever asked may no longer ask')
    return isHeld
  }

  stop(why: string): void {
    const response = this.#response
    this.#response = null
    // Whoever does not read hears no farewell either.
    if (this.#fullSince !== null) response?.destroy()
    else response?.end(formatFarewell(why))
  }

  async #send(): Promise<void> {
    this.#isSending = true
    try {
      while (this.#isWoken && this.#response !== null) {
        this.#isWoken = false
        await this.#sendAll()
      }
    } catch (error) {
      const why = error instanceof Error ? (error.stack ?? error.message) : String(error)
      this.#sending.report(`rubicon: a stream of events ended: ${why}`)
      this.stop('the ledger cannot be read now')
    } finally {
      this.#isSending = false
    }
  }

  async #sendAll(): Promise<void> {
    for (;;) {
      const isGone = (): boolean => this.#response === null
      const page = await this.#sending.log.readFrom(this.#next, this.listener.name, isGone)
      const last = page.events.at(-1)
      if (last === undefined || this.#response === null) return
      const text = page.getTextFor(this.listener.wants)
      this.#next = last.view.leaf + 1
      if (text !== '' && !(await this.#isHeld())) return
      if (text !== '') this.#write(text)
      if (this.#fullSince !== null) await this.#awaitRoom()
    }
  }

  #awaitRoom(): Promise<void> {
    return new Promise((resolve) => {
      this.#release = resolve
    })
  }

  #write(text: string): void {
    const hasRoom = this.#response?.write(text) ?? true
    if (!hasRoom) this.#fullSince ??= this.#sending.clock.monotonic()
  }

  /** The socket has room again, or is gone. */
  #resumeAfterDrain(): void {
    this.#fullSince = null
    this.#release()
  }
}
