/**
 * So many programs at once, and of one agent fewer; who comes later waits, and gives up with its own deadline.
 *
 * T1 an agent that fills its share waits behind itself: a place that it may not take is left to the others.
 * T2 of those who wait, the agent comes next that has the fewest running, however many each has waiting.
 */
type Waiting = { readonly agent: string; readonly begin: () => void }

export class Turns {
  readonly #each: number
  #free: number
  readonly #running = new Map<string, number>()
  /** In the order in which they came. */
  #waiting: Waiting[] = []

  constructor(most: number, each: number) {
    this.#free = most
    this.#each = each
  }

  /** Whether a turn was taken; it is to be released then. */
  async take(agent: string, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false
    if (this.#free > 0 && this.#hasShare(agent)) {
      this.#begin(agent)
      return true
    }
    return new Promise((resolve) => {
      const giveUp = (): void => {
        this.#waiting = this.#waiting.filter((one) => one !== waiting)
        resolve(false)
      }
      const begin = (): void => {
        signal.removeEventListener('abort', giveUp)
        resolve(true)
      }
      const waiting: Waiting = { agent, begin }
      this.#waiting.push(waiting)
      signal.addEventListener('abort', giveUp, { once: true })
    })
  }

  release(agent: string): void {
    const left = (this.#running.get(agent) ?? 0) - 1
    if (left > 0) this.#running.set(agent, left)
    else this.#running.delete(agent)
    this.#free += 1
    const next = this.#findNext()
    if (next === undefined) return
    this.#waiting = this.#waiting.filter((one) => one !== next)
    this.#begin(next.agent)
    next.begin()
  }

  /** The agent with the fewest that run; of several the one that waits longest. */
  #findNext(): Waiting | undefined {
    const able = this.#waiting.filter(({ agent }) => this.#hasShare(agent))
    const fewest = Math.min(...able.map(({ agent }) => this.#count(agent)))
    return able.find(({ agent }) => this.#count(agent) === fewest)
  }

  #begin(agent: string): void {
    this.#free -= 1
    this.#running.set(agent, this.#count(agent) + 1)
  }

  #hasShare(agent: string): boolean {
    return this.#count(agent) < this.#each
  }

  #count(agent: string): number {
    return this.#running.get(agent) ?? 0
  }
}
