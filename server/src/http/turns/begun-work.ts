/**
 * What was begun for requests and has not ended. A connection that is gone says nothing of what was asked over it:
 * whoever lets go of the engine waits for all of it.
 */
export class BegunWork {
  readonly #work = new Set<Promise<unknown>>()

  track<T>(work: Promise<T>): Promise<T> {
    this.#work.add(work)
    const forget = (): void => void this.#work.delete(work)
    work.then(forget, forget)
    return work
  }

  /** Also of what begins meanwhile. */
  async awaitEnd(): Promise<void> {
    while (this.#work.size > 0) await Promise.allSettled(this.#work)
  }
}
