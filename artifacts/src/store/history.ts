/**
 * The history of a folder: what happened, and how everything was at any moment of it. Reading an old moment changes nothing.
 *
 * Each event has the root behind it, so any moment is as near as any other: nothing is replayed to get there.
 */
import { randomUUID } from 'node:crypto'
import { err, type JsonValue, ok, type Result } from 'rubicon-kernel'
import {
  type ArtifactEvent,
  type EventBody,
  type EventFile,
  type EventStep,
  parseArtifactEvent,
  parseEventBody,
} from './artifact-event.ts'
import { type BlobProblem, type BlobStore, putText } from './blob-store.ts'
import type { ContentHash } from './content-hash.ts'
import type { EventLog } from './event-log.ts'
import { RootTree } from './root-tree.ts'

/** A file as an event leaves it. */
export type ChangedFile = {
  readonly id: string
  readonly before: Uint8Array | null
  readonly after: Uint8Array | null
  readonly steps: readonly EventStep[]
}

export type EventDraft = {
  readonly at: string
  readonly author: string
  readonly undoes: number | null
  readonly deltas: readonly JsonValue[]
  readonly files: readonly ChangedFile[]
}

export class ArtifactHistory {
  readonly #blobs: BlobStore
  readonly #log: EventLog
  readonly tree: RootTree

  constructor(blobs: BlobStore, log: EventLog) {
    this.#blobs = blobs
    this.#log = log
    this.tree = new RootTree(blobs)
  }

  get events(): readonly ArtifactEvent[] {
    return this.#log.events
  }

  /** Keeps everything that the event is made of; the event itself is recorded by whoever has written the files. */
  async prepare(draft: EventDraft): Promise<Result<ArtifactEvent, BlobProblem>> {
    const { at, author, undoes, deltas, files } = draft
    const kept: EventFile[] = []
    for (const { id, before, after } of files)
      kept.push({ id, before: await this.#keep(before), after: await this.#keep(after) })
    const body: EventBody = { deltas, steps: files.map(({ steps }) => steps) }
    const bodyHash = await putText(this.#blobs, JSON.stringify(body))
    const last = this.#log.read(this.#log.length)?.root_after ?? (await this.tree.createEmpty())
    // What was changed by others since the last event, or is new to the history, is known from here on.
    const before = await this.tree.update(last, new Map(kept.map((file) => [file.id, file.before])))
    if (!before.ok) return before
    const after = await this.tree.update(
      before.value,
      new Map(kept.map((file) => [file.id, file.after])),
    )
    if (!after.ok) return after
    return ok({
      ...{ seq: this.#log.length + 1, id: randomUUID(), at, author, undoes },
      ...{ files: kept, body: bodyHash, root_before: before.value, root_after: after.value },
    })
  }

  hasEvent(note: JsonValue): boolean {
    const event = parseArtifactEvent(note)
    return event !== null && this.events.some(({ id }) => id === event.id)
  }

  record(note: JsonValue): void {
    const event = parseArtifactEvent(note)
    if (event !== null) this.#log.append(event)
  }

  /** The root behind an event; 0: before the first one. Null: there is no such event. */
  findRoot(seq: number): ContentHash | null {
    if (seq === 0) return this.#log.read(1)?.root_before ?? null
    return this.#log.read(seq)?.root_after ?? null
  }

  /** All names and their hashes behind an event. */
  async readAt(seq: number): Promise<Result<ReadonlyMap<string, ContentHash>, HistoryProblem>> {
    const root = this.findRoot(seq)
    return root === null ? err(createUnknownEvent(seq, this.#log.length)) : this.tree.list(root)
  }

  /** Null: there was no such file that the history knew. */
  async readFileAt(seq: number, id: string): Promise<Result<Uint8Array | null, HistoryProblem>> {
    const root = this.findRoot(seq)
    if (root === null) return err(createUnknownEvent(seq, this.#log.length))
    const hash = await this.tree.find(root, id)
    if (!hash.ok) return hash
    return hash.value === null ? ok(null) : this.#blobs.get(hash.value)
  }

  readBlob(hash: ContentHash): Promise<Result<Uint8Array, BlobProblem>> {
    return this.#blobs.get(hash)
  }

  async readBody({ body: hash }: ArtifactEvent): Promise<Result<EventBody, BlobProblem>> {
    const got = await this.#blobs.get(hash)
    if (!got.ok) return got
    const body = parseBodyText(new TextDecoder().decode(got.value))
    if (body !== null) return ok(body)
    return err({ code: 'BLOB_CORRUPT', hash, detail: `\`${hash}\` is no body of an event` })
  }

  async #keep(bytes: Uint8Array | null): Promise<ContentHash | null> {
    return bytes === null ? null : this.#blobs.put(bytes)
  }
}

export type HistoryProblem =
  | BlobProblem
  | { readonly code: 'ARTIFACT_EVENT_UNKNOWN'; readonly detail: string }

export function createUnknownEvent(seq: number, last: number): HistoryProblem {
  const detail =
    last === 0 ? 'nothing is recorded yet' : `there is no event ${seq}; the last one is ${last}`
  return { code: 'ARTIFACT_EVENT_UNKNOWN', detail }
}

function parseBodyText(text: string): EventBody | null {
  try {
    return parseEventBody(JSON.parse(text))
  } catch {
    return null
  }
}
