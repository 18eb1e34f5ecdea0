/**
 * Which entries changed what artifacts hold, newest first. A commit says itself what was there before: it carries its own inverse.
 *
 * A fact of World about an artifact changes also when a plan claims a part of it. That is no change of the artifact: its contents are
 * the same, and so is the record of its last change.
 */
import { applyDelta, type CommitPayload, type Delta, LIMITS } from 'rubicon-kernel'
import type { Pause } from 'rubicon-runtime/evidence'
import type { Store, StoredEntry } from 'rubicon-runtime/ports'
import type { ArtifactFact } from '../../schemas/artifact.ts'
import { ARTIFACT, parseArtifactFact } from '../../views/artifact-fact.ts'

export type FoundChange = {
  readonly entry: StoredEntry
  readonly name: string
  /** Null: it was not there, or is not any more. */
  readonly before: ArtifactFact | null
  readonly after: ArtifactFact | null
}

export type FoundChanges = {
  readonly changes: readonly FoundChange[]
  /** Only entries before this seq have not been looked at; null: there is no more. */
  readonly next: number | null
}

type ChangesWanted = {
  /** Of all artifacts when nobody says. */
  readonly name: string | undefined
  readonly before: number
  readonly limit: number
  readonly pause: Pause
}

const PAGE = 256

/** A call looks at so many entries at most. An entry is shown whole, be it that it changed more artifacts than were asked for. */
export async function findChanges(
  store: Pick<Store, 'listCommits'>,
  trajectory: string,
  { name, before, limit, pause }: ChangesWanted,
): Promise<FoundChanges> {
  const changes: FoundChange[] = []
  const last = Math.max(0, before - LIMITS.changesSearched)
  for (let end = before; end > last; ) {
    const from = Math.max(last, end - PAGE)
    await pause()
    for (const entry of (await store.listCommits(trajectory, from, end)).toReversed()) {
      changes.push(...listEntryChanges(entry, name))
      if (changes.length >= limit) return { changes, next: toNullableSeq(entry.envelope.seq) }
    }
    end = from
  }
  return { changes, next: toNullableSeq(last) }
}

function listEntryChanges(entry: StoredEntry, name: string | undefined): readonly FoundChange[] {
  // Cheap to look for; whether it is in the delta is seen when it is read.
  if (entry.payload?.includes(JSON.stringify(name ?? ARTIFACT)) !== true) return []
  const { delta, inverse } = parseCommit(entry.payload)
  const isMeant = ({ kind, id }: Delta[number]): boolean =>
    kind === ARTIFACT && (name === undefined || id === name)
  const names = new Set(delta.filter(isMeant).map(({ id }) => id))
  return [...names].flatMap((id) => {
    const before = readBefore(inverse, id)
    const after = readAfter(delta, id, before)
    return isSame(before, after) ? [] : [{ entry, name: id, before, after }]
  })
}

/** Inverses stand last first: the one at the end gives back what was there. */
function readBefore(inverse: Delta, id: string): ArtifactFact | null {
  const op = inverse.findLast((one) => one.kind === ARTIFACT && one.id === id)
  return op !== undefined && 'value' in op ? parseArtifactFact(op.value) : null
}

function readAfter(delta: Delta, id: string, before: ArtifactFact | null): ArtifactFact | null {
  const ops = delta.filter((one) => one.kind === ARTIFACT && one.id === id)
  const [first] = ops
  const version = first !== undefined && 'expected_version' in first ? first.expected_version : 0
  const was =
    version === undefined || version === 0
      ? undefined
      : {
          ...{ kind: ARTIFACT, id, version, last_entry: '' },
          ...{ value: before === null ? null : { ...before }, retracted: before === null },
        }
  const applied = applyDelta(() => was, ops, '')
  const after = applied.ok ? applied.value.resources[0] : undefined
  return after === undefined || after.retracted ? null : parseArtifactFact(after.value)
}

function isSame(before: ArtifactFact | null, after: ArtifactFact | null): boolean {
  return before?.content_hash === after?.content_hash && before?.change === after?.change
}

function toNullableSeq(seq: number): number | null {
  return seq > 0 ? seq : null
}

/** Payloads of our own store, hashed and checked when they were written. */
function parseCommit(text: string): CommitPayload {
  return JSON.parse(text) as CommitPayload
}
