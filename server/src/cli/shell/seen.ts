/** What can be named again. */
export type SeenKind = 'request' | 'flow' | 'effect' | 'agent'

const KEPT = 1_000

/** Names that have been on the screen, for completion. Of each kind so many, the newest last. */
export class Seen {
  readonly #names = new Map<SeenKind, Set<string>>()

  add(kind: SeenKind, ...names: readonly (string | null | undefined)[]): void {
    const known = this.#names.get(kind) ?? new Set()
    this.#names.set(kind, known)
    for (const name of names) {
      if (name === null || name === undefined) continue
      known.delete(name)
      known.add(name)
    }
    for (const name of known) {
      if (known.size <= KEPT) return
      known.delete(name)
    }
  }

  listNames(kind: SeenKind): readonly string[] {
    return [...(this.#names.get(kind) ?? [])]
  }
}
