/**
 * An answer that something else produces as a stream, passed on as it comes and as fast as whoever asked takes it.
 *
 * R1 one that ends by itself is waited for while the server stops: what was asked for is done, and its answer is due.
 *    One that goes on until somebody hangs up is ended.
 * R2 whoever may no longer ask is told nothing more.
 * R3 whoever hangs up ends the producing of it, also who has hung up before it began: they do not hang up again.
 */
import type { Writable } from 'node:stream'
import type { AnswerStream, RouteRequest } from '../schemas/route.ts'

export type ResponseStreamOptions = {
  readonly endless: boolean
  readonly ended: RouteRequest['ended']
  /** Once, whichever way it is over. */
  readonly onOver: () => void
}

export class ResponseStream implements AnswerStream {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  readonly #options: ResponseStreamOptions
  #response: Writable | null = null

  constructor(body: ReadableStream<Uint8Array>, options: ResponseStreamOptions) {
    this.#reader = body.getReader()
    this.#options = options
  }

  start(response: Writable): void {
    this.#response = response
    response.on('close', () => this.#leave())
    if (response.destroyed) this.#leave()
    else void this.#run(response)
  }

  stop(): void {
    if (!this.#options.endless) return
    this.#response?.end()
    this.#leave()
  }

  async #run(response: Writable): Promise<void> {
    try {
      for (;;) {
        const { done, value } = await this.#reader.read()
        if (done || this.#response === null) break
        if ((await this.#options.ended()) !== null) break
        if (!response.write(value)) await awaitDrain(response)
      }
      response.end()
    } catch {
      // What went wrong inside is told where it happened; whoever asked sees that the stream is cut.
      response.destroy()
    } finally {
      this.#leave()
    }
  }

  #leave(): void {
    if (this.#response === null) return
    this.#response = null
    this.#options.onOver()
    this.#reader.cancel().catch(() => {})
  }
}

function awaitDrain(response: Writable): Promise<void> {
  if (response.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    response.once('drain', resolve)
    response.once('close', resolve)
  })
}
