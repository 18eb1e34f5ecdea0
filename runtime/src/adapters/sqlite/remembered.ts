/**
 * Rows that this process knows: as the database has them, and those that the batch has still to
 * write. It holds because only the owner writes; a failed transaction forgets all of it.
 *
 * Known rows are kept in two generations, since keeping them in order of use costs more than most
 * of the reads that it would save: when the young one is full, the old one goes.
 */
export class Remembered<V> {
  readonly #generation: number
  readonly #dirty: Map<string, V> = new Map()
  #young: Map<string, V> = new Map()
  #old: Map<string, V> = new Map()

  constructor(generation: number) {
    this.#generation = generation
  }

  get(key: string): V | undefined {
    return this.#dirty.get(key) ?? this.#young.get(key) ?? this.#old.get(key)
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

  changed(): ReadonlyMap<string, V> {
    return this.#dirty
  }

  /** The row is gone from the database. */
  drop(key: string): void {
    for (const rows of [this.#dirty, this.#young, this.#old]) rows.delete(key)
  }

  /** The batch is durable. */
  settle(): void {
    for (const [key, value] of this.#dirty) this.keep(key, value)
    this.#dirty.clear()
  }

  forget(): void {
    this.#dirty.clear()
    this.#young.clear()
    this.#old.clear()
  }
}
