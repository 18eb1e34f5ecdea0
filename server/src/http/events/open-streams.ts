/**
 * Answers that go on. They are taken from the framework, which would wait for their end, and are told
 * to end when the server stops. One that takes nothing for long is cut off: whoever does not read
 * holds a place, and would hold it for ever.
 */
import type { ServerResponse } from 'node:http'
import { LIMITS } from 'rubicon-kernel'
import type { AnswerStream, Reply } from '../schemas/route.ts'

const STOPPING = 'the runtime is stopping'

/** What the framework hands over. */
type Taken = { readonly raw: ServerResponse; hijack(): unknown }

export class OpenStreams {
  readonly #stallMs: number
  readonly #open = new Set<AnswerStream>()
  #isStopping = false

  constructor(stallMs: number = LIMITS.eventStallMs) {
    this.#stallMs = stallMs
  }

  take<T extends Taken>(reply: T, { status, headers }: Reply, stream: AnswerStream): T {
    const response = reply.raw
    reply.hijack()
    response.setTimeout(this.#stallMs, () => response.destroy())
    // The socket ends with the stream: nothing waits behind it.
    response.writeHead(status, { ...headers, connection: 'close' })
    // At once: the first piece may take its time, and whoever waits for it is to know that it was asked for.
    response.flushHeaders()
    this.#open.add(stream)
    response.on('close', () => this.#open.delete(stream))
    stream.start(response)
    if (this.#isStopping || response.destroyed) this.#end(stream)
    return reply
  }

  stop(): void {
    this.#isStopping = true
    for (const stream of this.#open) this.#end(stream)
  }

  #end(stream: AnswerStream): void {
    this.#open.delete(stream)
    stream.stop(STOPPING)
  }
}
