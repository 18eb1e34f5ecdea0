/**
 * A map of which copies are made, as often as whoever writes a ledger forks its World. A copy shares what
 * was there and costs nothing by itself: what is set later lies in a layer of its own.
 *
 * Of two layers the older one is more than twice as large, so that there are few of them, and what is set
 * is moved to another layer a few times at most.
 */
export class LayeredMap<V extends NonNullable<unknown>> {
  /** Shared with copies and never changed, the oldest first. */
  private layers: readonly ReadonlyMap<string, V | null>[]
  /** Null: what lies below is gone. */
  private top = new Map<string, V | null>()

  constructor(layers: readonly ReadonlyMap<string, V | null>[] = []) {
    this.layers = layers
  }

  get(key: string): V | undefined {
    const value = this.top.get(key)
    if (value !== undefined || this.layers.length === 0) return value ?? undefined
    for (let i = this.layers.length - 1; i >= 0; i -= 1) {
      const below = this.layers[i]?.get(key)
      if (below !== undefined) return below ?? undefined
    }
    return undefined
  }

  set(key: string, value: V): void {
    this.top.set(key, value)
  }

  delete(key: string): void {
    this.top.set(key, null)
  }

  *values(): Generator<V> {
    const whole = new Map<string, V | null>()
    for (const layer of [...this.layers, this.top])
      for (const [key, one] of layer) whole.set(key, one)
    for (const value of whole.values()) if (value !== null) yield value
  }

  copy(): LayeredMap<V> {
    if (this.top.size > 0) {
      const layers = [...this.layers]
      let added: ReadonlyMap<string, V | null> = this.top
      for (let below = layers.at(-1); below !== undefined; below = layers.at(-1)) {
        if (below.size > 2 * added.size) break
        added = new Map([...below, ...added])
        layers.pop()
      }
      this.layers = [...layers, added]
      this.top = new Map()
    }
    return new LayeredMap(this.layers)
  }
}
