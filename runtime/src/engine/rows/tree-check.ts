/**
 * Whether entries are those that the tree was made of: each fits its own hashes, its id stands in its
 * tile, and its payload is there, was erased, or lies in an archive. A tile is read once for all of its entries.
 */
import {
  type Address,
  computeEntryId,
  computeTreeRoot,
  type Entry,
  type Envelope,
  ERASURE,
  type ErasurePayload,
  hashLeaf,
  hashPayload,
  isArchivable,
  isEqualBytes,
  isErasable,
  LIMITS,
  type Sha256,
  TILE_LEAVES,
  toLeafInput,
} from 'rubicon-kernel'
import { EntryMismatch, HeadMismatch } from '../../ports/head-mismatch.ts'
import type { LeafEnvelope, Store, StoredEntry } from '../../ports/store.ts'

type CheckedStore = Pick<Store, 'listLeafIds' | 'listTiles' | 'listEntries' | 'readRecord'>
type Placed = Pick<StoredEntry, 'id' | 'leaf'>

export class TreeCheck {
  readonly #store: CheckedStore
  readonly #sha256: Sha256
  #tile = -1
  #ids: readonly Address[] = []
  /** Leaves that erasures name, of those up to `#erasures`. */
  readonly #erased = new Set<number>()
  #erasures = 0

  constructor(store: CheckedStore, sha256: Sha256) {
    this.#store = store
    this.#sha256 = sha256
  }

  /** Throws a `HeadMismatch` at the first that is not. What has no place yet is only looked at itself. */
  async check(entries: readonly StoredEntry[]): Promise<void> {
    for (const entry of entries) {
      const changed = findEntryProblem(entry, this.#sha256)
      if (changed !== undefined) throw new EntryMismatch(changed, entry.leaf)
      const moved = await this.#findPlaceProblem(entry)
      if (moved !== undefined) throw new HeadMismatch(moved, entry.leaf)
      const missing = await this.#findMissingProblem(entry)
      if (missing !== undefined) throw new EntryMismatch(missing, entry.leaf)
    }
  }

  /** The same of envelopes alone: which entry stands where, and what it is an entry of. */
  async checkEnvelopes(entries: readonly LeafEnvelope[]): Promise<void> {
    for (const entry of entries) {
      if (computeEntryId(entry.envelope, this.#sha256) !== entry.id)
        throw new EntryMismatch('the id does not fit the envelope', entry.leaf)
      const moved = await this.#findPlaceProblem(entry)
      if (moved !== undefined) throw new HeadMismatch(moved, entry.leaf)
    }
  }

  async #findPlaceProblem({ id, leaf }: Placed): Promise<string | undefined> {
    if (leaf === null) return undefined
    const tile = Math.floor(leaf / TILE_LEAVES)
    // The last tile grows while it is looked at.
    const isKnown = tile === this.#tile && leaf % TILE_LEAVES < this.#ids.length
    if (!isKnown) this.#ids = await this.#read(tile)
    this.#tile = tile
    return this.#ids[leaf % TILE_LEAVES] === id ? undefined : 'another entry stands there'
  }

  /** An entry without its words says nothing: taking them out would take back what it said. */
  async #findMissingProblem(entry: StoredEntry): Promise<string | undefined> {
    const { envelope, payload, leaf } = entry
    if (payload !== null) return undefined
    if (!isErasable(envelope.kind)) return 'its payload is missing'
    // In the unit that takes words out stands what names them, so that it can be read by now.
    if (leaf !== null && !this.#erased.has(leaf)) await this.#readErasures()
    if (leaf !== null && this.#erased.has(leaf)) return undefined
    const isElsewhere = (await this.#isArchived(envelope, leaf)) || (await this.#isBack(entry))
    return isElsewhere ? undefined : 'its payload is missing, and no erasure names it'
  }

  /** Since it was read, somebody has put it back from an archive. */
  async #isBack({ envelope: { trajectory, seq }, id }: StoredEntry): Promise<boolean> {
    const [now] = await this.#store.listEntries(trajectory, seq, 1)
    return (
      now?.id === id && now.payload !== null && findEntryProblem(now, this.#sha256) === undefined
    )
  }

  /** A note that this runtime did not write is absent; that an operator signed it, auditors check. */
  async #isArchived({ dfid, kind }: Envelope, leaf: number | null): Promise<boolean> {
    if (leaf === null || dfid === undefined || !isArchivable(kind)) return false
    const note = await this.#store.readRecord('archive', 'flows', dfid)
    return note?.body.body.leaves.includes(leaf) === true
  }

  async #readErasures(): Promise<void> {
    for (;;) {
      const page = await this.#store.listEntries(ERASURE, this.#erasures, LIMITS.entriesPerPage)
      for (const entry of page) {
        const problem =
          findEntryProblem(entry, this.#sha256) ?? (await this.#findPlaceProblem(entry))
        if (problem !== undefined) throw new HeadMismatch(problem, entry.leaf)
        for (const leaf of listErasedLeaves(entry)) this.#erased.add(leaf)
      }
      this.#erasures += page.length
      if (page.length < LIMITS.entriesPerPage) return
    }
  }

  async #read(tile: number): Promise<readonly Address[]> {
    const first = tile * TILE_LEAVES
    // In this order: a tile that has a hash is whole, whatever comes meanwhile.
    const [hash] = await this.#store.listTiles(tile, 1)
    const ids = await this.#store.listLeafIds(first, TILE_LEAVES)
    if (hash === undefined) return ids
    const leaves = ids.map((id) => hashLeaf(toLeafInput(id), this.#sha256))
    if (ids.length === TILE_LEAVES && isEqualBytes(computeTreeRoot(leaves, this.#sha256), hash))
      return ids
    throw new HeadMismatch(
      `the ${TILE_LEAVES} ids from there on are not those of their tile`,
      first,
    )
  }
}

export function findEntryProblem(
  { id, envelope, payload }: Entry,
  sha256: Sha256,
): string | undefined {
  if (computeEntryId(envelope, sha256) !== id) return 'the id does not fit the envelope'
  if (payload !== null && hashPayload(payload, sha256) !== envelope.payload_hash)
    return 'the payload does not fit its hash'
  return undefined
}

function listErasedLeaves({ envelope, payload }: StoredEntry): readonly number[] {
  if (envelope.kind !== 'erasure' || payload === null) return []
  return readErasure(payload).body.payloads.map(({ leaf }) => leaf)
}

/** Of our own store, and it fits its hash. */
function readErasure(payload: string): ErasurePayload {
  return JSON.parse(payload) as ErasurePayload
}
