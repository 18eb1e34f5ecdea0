/**
 * The batches that this process has sealed and not yet seen in the tree. What it wrote it recognises by
 * its text, without a signature; and what it knows to be durable must get its places: a batch that was
 * taken away before that would be missed by nobody else.
 */
import { SealMismatch } from '../../ports/head-mismatch.ts'
import type { OpenedSeal, StoredSeal } from '../../ports/tree.ts'

type Own = { readonly seal: StoredSeal; isDurable: boolean }

export class OwnBatches {
  readonly #waiting: Map<string, Own> = new Map()

  /** It is on its way to the server. */
  markSent(name: string, seal: StoredSeal): void {
    this.#waiting.set(name, { seal, isDurable: false })
  }

  /** Its transaction is over. One that is durable may have its places already. */
  markEnded(name: string | null, isDurable: boolean): void {
    const own = this.#waiting.get(name ?? '')
    if (own !== undefined) own.isDurable = isDurable
    if (!isDurable) this.#waiting.delete(name ?? '')
  }

  /** By the id of an entry that has its place: with the one that it is named by, all of a batch has. */
  markPlaced(name: string): void {
    this.#waiting.delete(name)
  }

  clear(): void {
    this.#waiting.clear()
  }

  recognise(name: string, text: string): OpenedSeal | undefined {
    const own = this.#waiting.get(name)
    return own?.seal.text === text ? own.seal : undefined
  }

  /** Those that whoever places entries from now on must find. */
  get due(): readonly string[] {
    return [...this.#waiting].flatMap(([name, { isDurable }]) => (isDurable ? [name] : []))
  }

  hasWaiting(due: readonly string[]): boolean {
    return due.some((name) => this.#waiting.has(name))
  }

  /** Everybody has placed what there is. */
  assertPlaced(due: readonly string[]): void {
    const name = due.find((one) => this.#waiting.has(one))
    if (name !== undefined)
      throw new SealMismatch(`the batch \`${name}\` was written here, and is gone`)
  }
}
