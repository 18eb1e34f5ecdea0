/** Names that have been on the screen, for completion. Bounded, the newest last. */
const KEPT = 1_000

export class Seen {
  readonly #names = new Set<string>()

  add(...names: readonly (string | null | undefined)[]): void {
    for (const name of names) {
      if (name === null || name === undefined) continue
      this.#names.delete(name)
      this.#names.add(name)
    }
    for (const name of this.#names) {
      if (this.#names.size <= KEPT) return
      this.#names.delete(name)
    }
  }

  names(): readonly string[] {
    return [...this.#names]
  }
}
