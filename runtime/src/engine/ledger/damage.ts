/**
 * Whether the ledger was found damaged, by whoever found it. From then on nothing is decided, begun or sent on it, neither
 * where somebody asks nor by itself. What was sent before is still settled: what became of it is known nowhere else.
 */
import { HeadMismatch } from '../../ports/head-mismatch.ts'

export class Damage {
  #found: HeadMismatch | null = null

  get isFound(): boolean {
    return this.#found !== null
  }

  /** Before something is begun, and again before what took a while is sent. */
  assertNone(): void {
    if (this.#found !== null) throw this.#found
  }

  /** Keeps what failed if it says that the ledger is damaged. */
  keep(error: unknown): void {
    if (error instanceof HeadMismatch) this.#found ??= error
  }
}
