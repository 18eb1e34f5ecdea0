/**
 * What waits, by asker: of each one after the other, so that who asks for much waits behind itself. A table that
 * is empty is replaced: short lives are not kept in a long one (decision 0022).
 */
export class AskerLines<T> {
  /** Whoever is next first. */
  #lines = new Map<string, T[]>()

  get isEmpty(): boolean {
    return this.#lines.size === 0
  }

  push(asker: string, waiting: T): void {
    const line = this.#lines.get(asker) ?? []
    line.push(waiting)
    this.#lines.set(asker, line)
  }

  takeNext(): T | undefined {
    const [first] = this.#lines
    if (first === undefined) return undefined
    const [asker, line] = first
    const next = line.shift()
    this.#lines.delete(asker)
    if (line.length > 0) this.#lines.set(asker, line)
    else if (this.#lines.size === 0) this.#lines = new Map()
    return next
  }
}
