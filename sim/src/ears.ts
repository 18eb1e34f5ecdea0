/**
 * Everything that leaves the house beside effects: notices, and in some seeds lines, metrics and spans
 * as they would be sent. Searched for canaries when the storm is over (I13).
 */
import {
  createObservability,
  type Observability,
} from '../../runtime/src/adapters/telemetry/observability.ts'
import type { Notice } from '../../runtime/src/ports/notifier.ts'
import type { Telemetry } from '../../runtime/src/ports/telemetry.ts'
import { type CanaryField, findCanaries } from './canary.ts'
import type { VirtualTime } from './clock.ts'

export class Ears {
  readonly #heard: string[] = []
  readonly #observability: Observability | null

  private constructor(heard: string[], observability: Observability | null) {
    this.#heard = heard
    this.#observability = observability
  }

  static async open(time: VirtualTime, listens: boolean): Promise<Ears> {
    const heard: string[] = []
    if (!listens) return new Ears(heard, null)
    const clock = {
      now: () => time.getElapsedMs(),
      monotonic: () => time.getElapsedMs(),
      after(ms: number) {
        let cancel = (): void => {}
        const elapsed = new Promise<void>((resolve) => {
          cancel = time.schedule(ms, resolve)
        })
        return { elapsed, cancel: () => cancel() }
      },
    }
    const traces = {
      async send(body: string): Promise<'sent'> {
        heard.push(body)
        return 'sent'
      },
    }
    const log = (line: string): void => void heard.push(line)
    return new Ears(heard, await createObservability({ clock, log, traces }))
  }

  get telemetry(): { readonly telemetry?: Telemetry } {
    return this.#observability === null ? {} : { telemetry: this.#observability.telemetry }
  }

  recordNotice(notice: Notice): void {
    this.#heard.push(JSON.stringify(notice))
  }

  /** Closes them, and says what was heard that nobody should have. */
  async close(): Promise<readonly CanaryField[]> {
    const observability = this.#observability
    if (observability !== null) {
      this.#heard.push(await observability.metrics([]))
      await observability.close()
    }
    return findCanaries(this.#heard.join('\n'))
  }
}
