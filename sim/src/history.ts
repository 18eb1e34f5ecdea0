/** Everything that happened in a seed, in order: one seed must give one hash. */
import { createHash } from 'node:crypto'
import type { VirtualTime } from './clock.ts'

export class History {
  readonly #hash = createHash('sha256')
  readonly #time: VirtualTime
  readonly #print: ((line: string) => void) | undefined
  events = 0

  constructor(time: VirtualTime, print: ((line: string) => void) | undefined) {
    this.#time = time
    this.#print = print
  }

  recordLine(text: string): void {
    const line = `${this.#time.getElapsedMs()} ${text}\n`
    this.events += 1
    this.#hash.update(line)
    this.#print?.(line)
  }

  hash(): string {
    return this.#hash.digest('hex')
  }
}
