/** What the hands keep in blobs: texts, plans, changes, and the tree of all names. What cannot be read back refuses. */
import { type BlobStore, type ContentHash, RootTree } from 'rubicon-artifacts/store'
import { type JsonValue, toCanonicalText } from 'rubicon-kernel'
import { type ChangeRecord, parseChangeRecord } from './change-record.ts'
import { type PlanRecord, parsePlanRecord } from './plan-record.ts'
import { createRefusal, toBlobRefusal, toKeepingRefusal } from './refusal.ts'

export class Shelf {
  readonly #blobs: BlobStore
  readonly #tree: RootTree

  constructor(blobs: BlobStore) {
    this.#blobs = refuseFailedPuts(blobs)
    this.#tree = new RootTree(this.#blobs)
  }

  putBytes(bytes: Uint8Array): Promise<ContentHash> {
    return this.#blobs.put(bytes)
  }

  putText(text: string): Promise<ContentHash> {
    return this.putBytes(new TextEncoder().encode(text))
  }

  putPlan(record: PlanRecord): Promise<ContentHash> {
    return this.putText(toCanonicalText(toPlain(record)))
  }

  putChange(record: ChangeRecord): Promise<ContentHash> {
    return this.putText(toCanonicalText(toPlain(record)))
  }

  async loadBytes(hash: ContentHash): Promise<Uint8Array> {
    const got = await this.#blobs.get(hash)
    if (!got.ok) throw toBlobRefusal(got.error)
    return got.value
  }

  /** Null: the bytes are no UTF-8. */
  async findText(hash: ContentHash): Promise<string | null> {
    return decodeText(await this.loadBytes(hash))
  }

  async loadText(hash: ContentHash, artifact: string): Promise<string> {
    const text = await this.findText(hash)
    if (text !== null) return text
    throw createRefusal('ARTIFACT_UNKNOWN', `\`${artifact}\` is no text`, { artifact })
  }

  async loadPlan(hash: ContentHash): Promise<PlanRecord> {
    const record = parsePlanRecord(await this.#loadJson(hash))
    if (record === null) throw createBroken(hash, 'plan')
    return record
  }

  async loadChange(hash: ContentHash): Promise<ChangeRecord> {
    const record = parseChangeRecord(await this.#loadJson(hash))
    if (record === null) throw createBroken(hash, 'change')
    return record
  }

  createRoot(): Promise<ContentHash> {
    return this.#tree.createEmpty()
  }

  async updateRoot(
    root: ContentHash,
    changes: ReadonlyMap<string, ContentHash | null>,
  ): Promise<ContentHash> {
    const updated = await this.#tree.update(root, changes)
    if (!updated.ok) throw toBlobRefusal(updated.error)
    return updated.value
  }

  async listRoot(root: ContentHash): Promise<ReadonlyMap<string, ContentHash>> {
    const listed = await this.#tree.list(root)
    if (!listed.ok) throw toBlobRefusal(listed.error)
    return listed.value
  }

  async #loadJson(hash: ContentHash): Promise<JsonValue> {
    const text = await this.findText(hash)
    try {
      return JSON.parse(text ?? '')
    } catch {
      return null
    }
  }
}

/** What cannot be kept has not happened: thrown as it is, the error would leave the effect uncertain, and all artifacts held. */
function refuseFailedPuts(blobs: BlobStore): BlobStore {
  return {
    put: async (bytes) => {
      try {
        return await blobs.put(bytes)
      } catch (error) {
        throw toKeepingRefusal(error)
      }
    },
    get: (hash) => blobs.get(hash),
    has: (hash) => blobs.has(hash),
  }
}

/** A byte order mark stays a character of the text. */
function decodeText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

/** Without members that are undefined: what is hashed is what is read back. */
function toPlain(record: PlanRecord | ChangeRecord): JsonValue {
  return JSON.parse(JSON.stringify(record))
}

function createBroken(hash: ContentHash, what: 'plan' | 'change'): Error {
  return createRefusal('PLAN_UNKNOWN', `\`${hash}\` is no record of a ${what}`)
}
