/**
 * Texts that a desk has parsed no more since one of them ended its process, or kept it for most of a deadline. They are told to every
 * process that comes after: a file of the project is read for the plan of everybody, and would end each of them.
 */

/** So many are known; the first is forgotten for one more. */
const MOST = 256

export class UnreadableTexts {
  readonly #hashes = new Set<string>()

  /** False: it was known, so that it was another that did it. */
  add(hash: string): boolean {
    if (this.#hashes.has(hash)) return false
    this.#hashes.add(hash)
    const [first] = this.#hashes
    if (this.#hashes.size > MOST && first !== undefined) this.#hashes.delete(first)
    return true
  }

  list(): readonly string[] {
    return [...this.#hashes]
  }
}
