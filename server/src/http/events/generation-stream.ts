/**
 * What a model says, while it does: `text` events, and then what came of it, as `generation` or as `problem`.
 *
 * S1 the last event is what counts; a stream without one broke off, and what became of it stands in the flow.
 * S2 whoever hangs up has asked all the same: nobody waits for the model any more, and it is recorded.
 */
import type { Writable } from 'node:stream'
import { LIMITS } from 'rubicon-kernel'
import type { GenerationIo } from 'rubicon-runtime/engine/generate'
import type { Clock } from 'rubicon-runtime/ports'
import type { AnswerStream, Reply } from '../schemas/route.ts'

type Timer = ReturnType<Clock['after']>
type Ask = (io: GenerationIo) => Promise<Reply>

export class GenerationStream implements AnswerStream {
  readonly #ask: Ask
  readonly #clock: Pick<Clock, 'after'>
  readonly #gone = new AbortController()
  #response: Writable | null = null
  #beating: Timer | null = null
  #sent = 0

  constructor(ask: Ask, clock: Pick<Clock, 'after'>) {
    this.#ask = ask
    this.#clock = clock
  }

  start(response: Writable): void {
    this.#response = response
    response.on('close', () => this.#leave())
    void this.#run()
  }

  stop(why: string): void {
    this.#response?.end(`: ${why}\n\n`)
    this.#leave()
  }

  async #run(): Promise<void> {
    void this.#sendHeartbeats()
    try {
      const { status, body } = await this.#ask({
        signal: this.#gone.signal,
        onText: (text) => this.#send('text', { text }),
      })
      this.#send(status === 200 ? 'generation' : 'problem', body)
      this.#response?.end()
    } catch {
      // What went wrong inside is told where it happened; whoever asked sees that the stream is cut.
      this.#response?.destroy()
    } finally {
      this.#leave()
    }
  }

  /** A model may think for longer than a silent connection is kept. */
  async #sendHeartbeats(): Promise<void> {
    while (this.#response !== null) {
      this.#beating = this.#clock.after(LIMITS.eventBeatMs, true)
      await this.#beating.elapsed
      this.#response?.write(':\n\n')
    }
  }

  #send(event: string, data: Reply['body']): void {
    this.#sent += 1
    this.#response?.write(`id: ${this.#sent}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  }

  #leave(): void {
    this.#response = null
    this.#beating?.cancel()
    this.#gone.abort()
  }
}
