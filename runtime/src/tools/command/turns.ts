/** So many programs at once; who comes later waits, and gives up with its own deadline. */
export class Turns {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(most: number) {
    this.#free = most
  }

  /** Whether a turn was taken; it is to be released then. */
  async take(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false
    if (this.#free > 0) {
      this.#free -= 1
      return true
    }
    return new Promise((resolve) => {
      const begin = (): void => {
        signal.removeEventListener('abort', giveUp)
        resolve(true)
      }
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(begin), 1)
        resolve(false)
      }
      this.#waiting.push(begin)
      signal.addEventListener('abort', giveUp, { once: true })
    })
  }

  release(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#free += 1
    else next()
  }
}
