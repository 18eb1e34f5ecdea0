/**
 * A store read together with archives: as if what lies in them had been put back.
 *
 * J1 a payload comes from the archive that the note of its flow names, by the digest of the file, and from no other.
 * J2 it fits the hash of its entry; otherwise nothing is answered.
 * J3 flows in archives that are not at hand stay as they are.
 */
import { hashPayload, isArchivable, parseArchiveNote, type Sha256 } from 'rubicon-kernel'
import type { ArchivedFlow } from '../../engine/archive/archive-flow.ts'
import { removeTag } from '../../engine/rows/flow-row.ts'
import { type FlowRow, type Store, type StoredEntry, StoreError } from '../../ports/store.ts'

/** An archive that is at hand. */
export interface OpenArchive {
  /** `sha256:` and the SHA-256 of the file. */
  readonly digest: string
  readFlow(dfid: string): ArchivedFlow | undefined
}

export type OpenArchives = ReadonlyMap<OpenArchive['digest'], OpenArchive>

export function joinArchives(store: Store, archives: OpenArchives, sha256: Sha256): Store {
  if (archives.size === 0) return store
  const joined = new JoinedReads(store, archives, sha256)
  const own: Partial<Store> = {
    readFlow: async (dfid) => joined.showFlow(await store.readFlow(dfid)),
    listFlows: async (filter) => joined.showFlows(await store.listFlows(filter)),
    listEntries: async (...asked) => joined.fill(await store.listEntries(...asked)),
    listFlowEntries: async (...asked) => joined.fill(await store.listFlowEntries(...asked)),
    listLeaves: async (...asked) => joined.fill(await store.listLeaves(...asked)),
  }
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(Object.hasOwn(own, name) ? own : target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

class JoinedReads {
  readonly #store: Store
  readonly #archives: OpenArchives
  readonly #sha256: Sha256

  constructor(store: Store, archives: OpenArchives, sha256: Sha256) {
    this.#store = store
    this.#archives = archives
    this.#sha256 = sha256
  }

  async showFlow(flow: FlowRow | null): Promise<FlowRow | null> {
    if (flow === null || (await this.#findFlow(flow.dfid)) === undefined) return flow
    return { ...flow, tags: removeTag(flow.tags, 'ARCHIVED') }
  }

  async showFlows(flows: readonly FlowRow[]): Promise<readonly FlowRow[]> {
    const shown: FlowRow[] = []
    for (const flow of flows) shown.push((await this.showFlow(flow)) ?? flow)
    return shown
  }

  async fill<T extends StoredEntry>(entries: readonly T[]): Promise<readonly T[]> {
    const filled: T[] = []
    for (const entry of entries) filled.push(await this.#fillEntry(entry))
    return filled
  }

  async #fillEntry<T extends StoredEntry>(entry: T): Promise<T> {
    const { envelope, payload, leaf } = entry
    const { dfid, kind, payload_hash } = envelope
    if (payload !== null || leaf === null || dfid === undefined || !isArchivable(kind)) return entry
    const found = await this.#findFlow(dfid)
    const archived = found?.leaves.includes(leaf)
      ? found.flow.payloads.get(leaf)?.payload
      : undefined
    if (found === undefined || archived === undefined) return entry
    if (hashPayload(archived, this.#sha256) === payload_hash) return { ...entry, payload: archived }
    throw new StoreError(
      'STORE_CORRUPT',
      `the archive \`${found.digest}\` has another payload for leaf ${leaf}`,
      'keep store and archive as evidence, and use copies that were not changed',
    )
  }

  /** Undefined: it is not archived, or not in an archive that is at hand. */
  async #findFlow(dfid: string): Promise<Found | undefined> {
    const record = await this.#store.readRecord('archive', 'flows', dfid)
    const note = record === null ? undefined : parseArchiveNote(record.body)
    const archive = note === undefined ? undefined : this.#archives.get(note.body.archive)
    const flow = archive?.readFlow(dfid)
    if (note === undefined || archive === undefined || flow === undefined) return undefined
    return { digest: archive.digest, leaves: note.body.leaves, flow }
  }
}

type Found = {
  readonly digest: string
  readonly leaves: readonly number[]
  readonly flow: ArchivedFlow
}
