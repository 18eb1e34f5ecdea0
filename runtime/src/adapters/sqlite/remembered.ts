/**
 * Rows that this process knows: as the database has them, and those that the batch has still to
 * write. It holds because only the owner writes; a failed transaction forgets all of it.
 *
 * Known rows are kept in two generations, since keeping them in order of use costs more than most
 * of the reads that it would save: when the young one is full, the old one goes.
 *
 * Nothing is ever cleared: what V8 clears points at what took its place, so that a table that grew old
 * keeps everything after it from the quick collector.
 */
export class RememberedRows<V> {
  readonly #generation: number
  #dirty: Map<string, V> = new Map()
  #young: Map<string, V> = new Map()
  #old: Map<string, V> = new Map()

  constructor(generation: number) {
    this.#generation = generation
  }

  get(key: string): V | undefined {
    // Null is a row that is known not to be there.
    const changed = this.#dirty.get(key)
    if (changed !== undefined) return changed
    const young = this.#young.get(key)
    return young === undefined ? this.#old.get(key) : young
  }

  /** The database has this row. */
  keep(key: string, value: V): V {
    if (this.#young.size >= this.#generation) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(key, value)
    return value
  }

  /** The batch has to write this row before it ends. */
  change(key: string, value: V): void {
    this.#dirty.set(key, value)
  }

  getChanged(): ReadonlyMap<string, V> {
    return this.#dirty
  }

  /** The row is gone from the database. */
  drop(key: string): void {
    for (const rows of [this.#dirty, this.#young, this.#old]) rows.delete(key)
  }

  /** The batch is durable. */
  settle(): void {
    if (this.#dirty.size === 0) return
    for (const [key, value] of this.#dirty) this.keep(key, value)
    this.#dirty = new Map()
  }

  forget(): void {
    if (this.#dirty.size > 0) this.#dirty = new Map()
    if (this.#young.size > 0) this.#young = new Map()
    if (this.#old.size > 0) this.#old = new Map()
  }
}
