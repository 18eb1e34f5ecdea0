/**
 * What was used last, by name. It is kept in two halves, since keeping it in order of use costs more than
 * what it saves: when the younger half is full, the older one goes, with all that nobody asked for since.
 */
export class Recent<T> {
  readonly #half: number
  #young = new Map<string, T>()
  #old = new Map<string, T>()

  /** So many names at most. */
  constructor(most: number) {
    this.#half = Math.max(1, Math.floor(most / 2))
  }

  get(name: string): T | undefined {
    const young = this.#young.get(name)
    if (young !== undefined) return young
    const old = this.#old.get(name)
    if (old !== undefined) this.set(name, old)
    return old
  }

  set(name: string, value: T): void {
    if (this.#young.size >= this.#half && !this.#young.has(name)) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(name, value)
  }

  forget(name: string): void {
    this.#young.delete(name)
    this.#old.delete(name)
  }
}
