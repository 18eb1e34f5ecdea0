/** What was used last, by name: so much of it, and the longest unused goes first. */
export class Recent<T> {
  readonly #most: number
  /** In the order in which they were used last. */
  readonly #kept = new Map<string, T>()

  constructor(most: number) {
    this.#most = most
  }

  get(name: string): T | undefined {
    const value = this.#kept.get(name)
    if (value !== undefined) this.set(name, value)
    return value
  }

  set(name: string, value: T): void {
    this.#kept.delete(name)
    this.#kept.set(name, value)
    const [oldest] = this.#kept.size > this.#most ? this.#kept.keys() : []
    if (oldest !== undefined) this.#kept.delete(oldest)
  }
}
