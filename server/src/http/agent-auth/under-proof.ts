/**
 * Requests that are being proven, by address and token. They are charged when they are proven; until
 * then they are counted here, so that those that come together are not all proven for the last place
 * in a bucket. Of a token at another address nothing is counted: whoever found one holds up nobody else.
 */
export class UnderProof {
  readonly #counts = new Map<string, number>()

  count(key: string): number {
    return this.#counts.get(key) ?? 0
  }

  enter(key: string): void {
    this.#counts.set(key, this.count(key) + 1)
  }

  leave(key: string): void {
    const left = this.count(key) - 1
    if (left > 0) this.#counts.set(key, left)
    else this.#counts.delete(key)
  }
}
