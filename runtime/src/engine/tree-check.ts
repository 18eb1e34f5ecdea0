/**
 * Whether entries are those that the tree was made of: each fits its own hashes, and its id stands in
 * its tile. A tile is read once for all of its entries.
 */
import {
  type Address,
  entryId,
  equalBytes,
  leafHash,
  leafInput,
  payloadHash,
  type Sha256,
  TILE_LEAVES,
  treeRoot,
} from 'rubicon-kernel'
import { HeadMismatch } from '../ports/head-mismatch.ts'
import type { Store, StoredEntry } from '../ports/store.ts'

export class TreeCheck {
  readonly #store: Pick<Store, 'leafIds' | 'tiles'>
  readonly #sha256: Sha256
  #tile = -1
  #ids: readonly Address[] = []

  constructor(store: Pick<Store, 'leafIds' | 'tiles'>, sha256: Sha256) {
    this.#store = store
    this.#sha256 = sha256
  }

  /** Throws a `HeadMismatch` at the first that is not. What has no place yet is only looked at itself. */
  async check(entries: readonly StoredEntry[]): Promise<void> {
    for (const entry of entries) {
      const problem = entryProblem(entry, this.#sha256) ?? (await this.#placeProblem(entry))
      if (problem !== undefined) throw new HeadMismatch(problem, entry.leaf)
    }
  }

  async #placeProblem({ id, leaf }: StoredEntry): Promise<string | undefined> {
    if (leaf === null) return undefined
    const tile = Math.floor(leaf / TILE_LEAVES)
    // The last tile grows while it is looked at.
    const isKnown = tile === this.#tile && leaf % TILE_LEAVES < this.#ids.length
    if (!isKnown) this.#ids = await this.#read(tile)
    this.#tile = tile
    return this.#ids[leaf % TILE_LEAVES] === id ? undefined : 'another entry stands there'
  }

  async #read(tile: number): Promise<readonly Address[]> {
    const first = tile * TILE_LEAVES
    // In this order: a tile that has a hash is whole, whatever comes meanwhile.
    const [hash] = await this.#store.tiles(tile, 1)
    const ids = await this.#store.leafIds(first, TILE_LEAVES)
    if (hash === undefined) return ids
    const leaves = ids.map((id) => leafHash(leafInput(id), this.#sha256))
    if (ids.length === TILE_LEAVES && equalBytes(treeRoot(leaves, this.#sha256), hash)) return ids
    throw new HeadMismatch(
      `the ${TILE_LEAVES} ids from there on are not those of their tile`,
      first,
    )
  }
}

function entryProblem({ id, envelope, payload }: StoredEntry, sha256: Sha256): string | undefined {
  if (entryId(envelope, sha256) !== id) return 'the id does not fit the envelope'
  if (payload !== null && payloadHash(payload, sha256) !== envelope.payload_hash)
    return 'the payload does not fit its hash'
  return undefined
}
