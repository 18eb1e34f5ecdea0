/**
 * The checkpoint that stands in the store is what an export shows: it is one that a checkpoint key of this
 * log signed, of the ledger as it stands, and none that is kept outside is newer.
 */
import {
  type Authority,
  computeNoteKeyId,
  encodeUtf8,
  isEqualBytes,
  parseCheckpoint,
  parseNote,
} from 'rubicon-kernel'
import { HeadMismatch } from '../../ports/head-mismatch.ts'
import type { StoredCheckpoint } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { logOrigin, logPrefix } from './checkpoint.ts'
import { computePrefixRoot } from './prefix-root.ts'

/** Throws a `HeadMismatch` unless it is; there may be none. */
export async function checkNote(context: Context, authority: Authority): Promise<void> {
  const stored = await context.store.readCheckpoint()
  if (stored !== null) await checkStoredNote(context, authority, stored)
}

/** The same of one that was read before, for whoever signs something on it. */
export async function checkStoredNote(
  context: Context,
  authority: Authority,
  stored: StoredCheckpoint,
): Promise<void> {
  const problem = await findNoteProblem(context, authority, stored)
  if (problem !== null) throw new HeadMismatch(`its checkpoint ${problem}`)
}

/**
 * Puts the newest one that is kept outside back into a store that has lost it; null: it has not. An engine
 * that ended between the two places leaves it so, too: whoever reads of it knows whether one did.
 */
export async function restoreNote(context: Context): Promise<StoredCheckpoint | null> {
  const { store, sinks, tenant } = context
  const authority = await context.authorities.loadLatest()
  const stored = await store.readCheckpoint()
  for (const sink of sinks) {
    const note = await sink.latest(logOrigin(tenant, authority))
    const size = note === null ? undefined : readNote(note)?.said.size
    if (note === null || size === undefined) continue
    const isThere = stored?.epoch === authority.epoch && stored.size >= size
    const kept = { epoch: authority.epoch, size, note }
    if (isThere || (await findNoteProblem(context, authority, kept)) !== null) continue
    await store.saveCheckpoint(kept)
    return kept
  }
  return null
}

async function findNoteProblem(
  context: Context,
  authority: Authority,
  { epoch, size, note }: StoredCheckpoint,
): Promise<string | null> {
  const read = readNote(note)
  if (read === undefined) return 'cannot be read'
  const { said, body, signatures } = read
  const origin = `${logPrefix(context.tenant, authority)}/${epoch}`
  if (said.origin !== origin || said.size !== size) return 'is for another log or size'
  const { heads, headKey, sha256 } = context
  const isSigned = heads.listCheckpointKeys().some((key) => {
    const id = computeNoteKeyId(origin, key, sha256)
    // Whoever reads the note asks for the name and the id of a key: by another name nobody signed it.
    const own = signatures.find((one) => one.name === origin && isEqualBytes(one.keyId, id))
    return own !== undefined && headKey.verify(key, encodeUtf8(body), own.signature)
  })
  if (!isSigned) return 'has no signature of a key that may sign it'
  // What an accepted loss cut off is in the checkpoints before it.
  if (epoch < authority.epoch) return null
  return isEqualBytes(await computePrefixRoot(context, size), said.root)
    ? null
    : 'covers other entries'
}

function readNote(note: string) {
  const parsed = parseNote(note)
  const said = parsed.ok ? parseCheckpoint(parsed.value.body) : undefined
  return parsed.ok && said !== undefined ? { said, ...parsed.value } : undefined
}
