/** The clock of an example: it goes on when a step says so, and is set by one. */
import type { Clock } from '../ports/clock.ts'

const START = Date.parse('2026-03-02T09:00:00.000Z')

export class ScriptedClock implements Clock {
  #passed = 0
  #set = 0
  #waiting: { at: number; wake: () => void }[] = []

  now(): number {
    return START + this.#passed + this.#set
  }

  monotonic(): number {
    return this.#passed
  }

  after(ms: number): ReturnType<Clock['after']> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = { at: this.#passed + ms, wake: resolve }
    this.#waiting.push(timer)
    const cancel = (): void => {
      this.#waiting = this.#waiting.filter((other) => other !== timer)
    }
    return { elapsed: promise, cancel }
  }

  set(ms: number): void {
    this.#set += ms
  }

  advance(ms: number): void {
    this.#passed += ms
    const due = this.#waiting.filter(({ at }) => at <= this.#passed)
    this.#waiting = this.#waiting.filter(({ at }) => at > this.#passed)
    for (const { wake } of due) wake()
  }
}
