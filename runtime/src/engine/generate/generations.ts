/** Requests to models that are under way in this process. One that is open in the store and not here was left behind. */
import { LIMITS } from 'rubicon-kernel'

export class Generations {
  readonly #open = new Map<string, { readonly agent: string; readonly waits: AbortController }>()
  readonly #waiting: (() => void)[] = []
  #isClosed = false
  #lastTurn: Promise<void> = Promise.resolve()

  /** False: there is no room, or none for this agent. */
  enter(id: string, agent: string, waits: AbortController): boolean {
    if (this.#isClosed || this.#open.size >= LIMITS.generationsInFlight) return false
    const own = [...this.#open.values()].filter((one) => one.agent === agent)
    if (own.length >= LIMITS.generationsEach) return false
    this.#open.set(id, { agent, waits })
    return true
  }

  leave(id: string): void {
    this.#open.delete(id)
    if (this.#open.size === 0) for (const end of this.#waiting.splice(0)) end()
  }

  /**
   * Leaves the thread to others, one request after the other: of those that are counted at the same time one goes on
   * for each time that the thread was left.
   */
  takeTurn(pause: () => Promise<void>): Promise<void> {
    this.#lastTurn = this.#lastTurn.then(pause)
    return this.#lastTurn
  }

  isUnderWay(id: string): boolean {
    return this.#open.has(id)
  }

  /** Nobody waits for any of them any more; over once each of them is recorded. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const { waits } of this.#open.values()) waits.abort()
    if (this.#open.size === 0) return
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve)
    })
  }
}
