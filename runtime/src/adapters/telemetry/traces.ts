/**
 * Sends spans away in batches, behind the back of whoever decides.
 *
 * X1 `add` never waits and never throws.
 * X2 the queue has a bound; what finds no room, or nobody to take it, is dropped and counted.
 * X3 one batch is on its way at a time: a collector that is slow makes the queue full, not the heap.
 */
import { isDfid } from 'rubicon-kernel'
import type { Clock } from '../../ports/clock.ts'
import type { Span } from '../../ports/telemetry.ts'
import { type Service, toOtlpRequest } from './otlp.ts'
import type { TraceSink } from './trace-sinks.ts'

export type TraceOptions = {
  readonly sink: TraceSink
  readonly clock: Clock
  readonly service: Service
  readonly dropped: (spans: number) => void
}

const QUEUE = 8_192
const BATCH = 512
const EVERY_MS = 1_000
const ATTEMPTS = 3

export class TraceExporter {
  readonly #options: TraceOptions
  readonly #queue: Span[] = []
  #sending: Promise<void> | null = null
  /** Ends a wait for more spans. */
  #hurry: () => void = () => {}
  #closed = false

  constructor(options: TraceOptions) {
    this.#options = options
  }

  add(span: Span): void {
    if (this.#closed || this.#queue.length >= QUEUE || !isDfid(span.ref.dfid)) {
      this.#options.dropped(1)
      return
    }
    this.#queue.push(span)
    if (this.#queue.length >= BATCH) this.#hurry()
    this.#sending ??= this.#send()
  }

  /** Sends what is there. Resolves when it has arrived or was dropped. */
  async flush(): Promise<void> {
    this.#hurry()
    await this.#sending
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.flush()
  }

  async #send(): Promise<void> {
    while (this.#queue.length > 0) {
      if (this.#queue.length < BATCH) await this.#wait(EVERY_MS)
      await this.#deliver(this.#queue.splice(0, BATCH))
    }
    this.#sending = null
  }

  async #deliver(batch: readonly Span[]): Promise<void> {
    const { sink, service, dropped } = this.#options
    const body = JSON.stringify(toOtlpRequest(service, batch))
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const outcome = await sink.send(body).catch((): 'later' => 'later')
      if (outcome === 'sent') return
      if (outcome === 'never' || this.#closed) break
      if (attempt < ATTEMPTS) await this.#wait(EVERY_MS * attempt)
    }
    dropped(batch.length)
  }

  /** Not at all once it is closed. */
  async #wait(ms: number): Promise<void> {
    if (this.#closed) return
    const timer = this.#options.clock.after(ms, true)
    const hurried = new Promise<void>((resolve) => {
      this.#hurry = resolve
    })
    await Promise.race([timer.elapsed, hurried])
    timer.cancel()
  }
}
