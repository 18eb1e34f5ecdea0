/**
 * The changes of an artifact, from its last one back.
 *
 * F1 what cannot be followed (too far, an adoption between, a record that is not there) refuses: nobody knows what happened meanwhile.
 */
import type { ContentHash } from 'rubicon-artifacts/store'
import { HANDS_LIMITS } from './artifact-limits.ts'
import type { ChangeRecord } from './change-record.ts'
import { createRefusal } from './refusal.ts'
import type { Shelf } from './shelf.ts'
import type { KnownArtifact } from './world-values.ts'

export type FollowedChange = { readonly hash: ContentHash; readonly record: ChangeRecord }

/** What happened since the text was `base`, in its order. */
export async function listChangesSince(
  shelf: Shelf,
  artifact: string,
  known: KnownArtifact,
  base: ContentHash,
): Promise<readonly FollowedChange[]> {
  const since: FollowedChange[] = []
  let at = known.content_hash
  for (let hash: ContentHash | null = known.change; at !== base; ) {
    const record: ChangeRecord | null = hash === null ? null : await shelf.loadChange(hash)
    if (hash === null || record === null || since.length >= HANDS_LIMITS.followed)
      throw createStale(artifact, 'its base is not among the last changes')
    if (record.artifact !== artifact || record.after !== at)
      throw createStale(artifact, 'its history is broken')
    if (record.what === 'adopt' || record.before === null)
      throw createStale(artifact, 'somebody else has changed it since')
    since.push({ hash, record })
    at = record.before
    hash = record.previous
  }
  return since.toReversed()
}

/** The last ones, newest first, so far as changes are followed. */
export async function listLastChanges(
  shelf: Shelf,
  { change }: KnownArtifact,
): Promise<readonly FollowedChange[]> {
  const found: FollowedChange[] = []
  let hash: ContentHash | null = change
  while (hash !== null && found.length < HANDS_LIMITS.followed) {
    const record: ChangeRecord = await shelf.loadChange(hash)
    found.push({ hash, record })
    hash = record.previous
  }
  return found
}

/** Behind the last adoption, in their order: what is known of how the text came to be. */
export async function listOwnChanges(
  shelf: Shelf,
  known: KnownArtifact,
): Promise<readonly FollowedChange[]> {
  const last = await listLastChanges(shelf, known)
  const adopted = last.findIndex(({ record }) => record.what === 'adopt')
  return (adopted < 0 ? last : last.slice(0, adopted)).toReversed()
}

function createStale(artifact: string, why: string): Error {
  const detail = `\`${artifact}\` is not what it was planned on: ${why}; read it again, and plan anew`
  return createRefusal('DELTA_STALE', detail, { artifact })
}
