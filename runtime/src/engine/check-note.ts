/**
 * The checkpoint that stands in the store is what an export shows, and the next start finds it there: it is
 * one that a checkpoint key of this log signed, of the ledger as it stands.
 */
import {
  type Authority,
  equalBytes,
  noteKeyId,
  parseCheckpoint,
  parseNote,
  utf8,
} from 'rubicon-kernel'
import { HeadMismatch } from '../ports/head-mismatch.ts'
import { logPrefix } from './checkpoint.ts'
import type { Context } from './context.ts'
import { rootOfFirst } from './rollback.ts'

/** Throws a `HeadMismatch` unless it is; there may be none. */
export async function checkNote(context: Context, authority: Authority): Promise<void> {
  const stored = await context.store.checkpoint()
  if (stored === null) return
  const { epoch, size, note } = stored
  const wrong = (detail: string): HeadMismatch => new HeadMismatch(`its checkpoint ${detail}`)
  const parsed = parseNote(note)
  const said = parsed.ok ? parseCheckpoint(parsed.value.body) : undefined
  if (!parsed.ok || said === undefined) throw wrong('cannot be read')
  const origin = `${logPrefix(context.tenant, authority)}/${epoch}`
  if (said.origin !== origin || said.size !== size) throw wrong('is of another log or size')
  const { heads, headKey, sha256 } = context
  const isSigned = heads.checkpointKeys().some((key) => {
    const id = noteKeyId(origin, key, sha256)
    const own = parsed.value.signatures.find((one) => equalBytes(one.keyId, id))
    return own !== undefined && headKey.verify(key, utf8(parsed.value.body), own.signature)
  })
  if (!isSigned) throw wrong('is signed by nobody who may')
  // What an accepted loss cut off is in the checkpoints before it.
  if (epoch < authority.epoch) return
  if (!equalBytes(await rootOfFirst(context, size), said.root)) throw wrong('is of other entries')
}
