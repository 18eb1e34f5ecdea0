/**
 * The entries of flows, by flow. Most outcomes stand close behind what they are outcomes of, so that
 * whoever follows the ledger has read their beginning already; the rest is read from the store.
 */
import type { LeafEntry, Store, StoredEntry } from '../../ports/store.ts'

const MOST_FLOWS = 2_048

export class FlowStories {
  readonly #store: Pick<Store, 'listFlowEntries'>
  readonly #stories = new Map<string, StoredEntry[]>()

  constructor(store: Pick<Store, 'listFlowEntries'>) {
    this.#store = store
  }

  /** In tree order. */
  see(entry: LeafEntry): void {
    const { dfid, kind } = entry.envelope
    if (dfid === undefined) return
    const story = this.#stories.get(dfid)
    if (story !== undefined) story.push(entry)
    // What does not start with its opening would lack something.
    else if (kind === 'writ') this.#remember(dfid, entry)
  }

  /** All entries of the flow up to now, and perhaps later ones. */
  async readEntries(dfid: string): Promise<readonly StoredEntry[]> {
    return this.#stories.get(dfid) ?? this.#store.listFlowEntries(dfid)
  }

  #remember(dfid: string, opening: LeafEntry): void {
    const [oldest] = this.#stories.keys()
    if (this.#stories.size >= MOST_FLOWS && oldest !== undefined) this.#stories.delete(oldest)
    this.#stories.set(dfid, [opening])
  }
}
