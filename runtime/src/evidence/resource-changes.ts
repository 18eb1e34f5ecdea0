/** Which entries changed a resource, newest first. */
import { type CommitPayload, type Delta, LIMITS } from 'rubicon-kernel'
import type { Store, StoredEntry } from '../ports/store.ts'

export type ResourceChange = {
  readonly entry: StoredEntry
  /** What was done to it, in order. */
  readonly ops: Delta
}

export type ChangesPage = {
  readonly changes: readonly ResourceChange[]
  /** Only entries before this seq have not been looked at; null: there is no more. */
  readonly next: number | null
}

type Ref = { readonly kind: string; readonly id: string }
type Range = {
  readonly before: number
  readonly limit: number
  /** Lets everybody else go first, now and then. */
  readonly pause: () => Promise<unknown>
}

const PAGE = 256

/** A call looks at so many entries at most. A branch is not followed to where it came from. */
export async function readResourceChanges(
  store: Pick<Store, 'listCommits'>,
  trajectory: string,
  ref: Ref,
  { before, limit, pause }: Range,
): Promise<ChangesPage> {
  const changes: ResourceChange[] = []
  const last = Math.max(0, before - LIMITS.changesSearched)
  for (let end = before; end > last; ) {
    const from = Math.max(last, end - PAGE)
    await pause()
    for (const entry of (await store.listCommits(trajectory, from, end)).toReversed()) {
      const ops = selectOps(ref, entry)
      if (ops.length === 0) continue
      changes.push({ entry, ops })
      if (changes.length === limit) return { changes, next: toNullableSeq(entry.envelope.seq) }
    }
    end = from
  }
  return { changes, next: toNullableSeq(last) }
}

function selectOps({ kind, id }: Ref, { payload }: StoredEntry): Delta {
  // Cheap to look for; whether it is in the delta is seen when it is read.
  if (payload?.includes(JSON.stringify(id)) !== true) return []
  return parseCommit(payload).delta.filter((op) => op.kind === kind && op.id === id)
}

function toNullableSeq(seq: number): number | null {
  return seq > 0 ? seq : null
}

/** Payloads of our own store, hashed and checked when they were written. */
function parseCommit(text: string): CommitPayload {
  return JSON.parse(text) as CommitPayload
}
