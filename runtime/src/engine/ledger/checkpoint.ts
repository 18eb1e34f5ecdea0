/**
 * Signs what the log has become, for whoever keeps it elsewhere.
 *
 * C1 it is the tree of the signed head, as the store has kept it: nothing is vouched for that somebody
 *    put into the database.
 * C2 it is kept in the store and in every place outside it; the places outside come first, so that
 *    the store is never ahead of its witnesses.
 * C3 only a key that counts signs; a checkpoint of another key is not taken for one of this.
 */
import {
  type Authority,
  computeNoteKeyId,
  decodeBase64,
  encodeUtf8,
  formatCheckpointBody,
  formatNote,
  formatVerifierKey,
  isEqualBytes,
  isKeyInUse,
  type KeyRecord,
  parseNote,
  type Sha256,
  type TreeSize,
} from 'rubicon-kernel'
import { HeadMismatch } from '../../ports/head-mismatch.ts'
import type { StoredCheckpoint } from '../../ports/store.ts'
import type { Deps } from '../deps.ts'
import type { Context } from '../engine-context.ts'
import { KeyMissing } from '../rows/sign.ts'

/** The origin of the log: who keeps it, and since which accepted restore. */
export function logOrigin(tenant: string, authority: Authority): string {
  return `${logPrefix(tenant, authority)}/${authority.epoch}`
}

export function logPrefix(tenant: string, authority: Authority): string {
  const operator = [...authority.keys.values()].find((key) => key.purpose === 'operator')
  return `rubicon/${tenant}/${operator?.key_id ?? 'none'}`
}

/** The origin of a log whose first operator key is the one that is held here. */
export function toNewLogOrigin({ tenant, signer }: Pick<Deps, 'tenant' | 'signer'>): string {
  return `rubicon/${tenant}/${signer.publicKey('operator')?.key_id ?? 'none'}/0`
}

/** What others verify the notes of this log with. */
export function logVerifierKey(
  tenant: string,
  authority: Authority,
  { public_key }: Pick<KeyRecord, 'public_key'>,
  sha256: Sha256,
): string {
  const publicKey = decodeBase64(public_key) ?? new Uint8Array(0)
  return formatVerifierKey({ name: logOrigin(tenant, authority), publicKey }, sha256)
}

/** Signs the tree as it is now. Returns the checkpoint that stands then. */
export async function makeCheckpoint(context: Context): Promise<StoredCheckpoint> {
  const { store, heads, failpoints } = context
  await store.integrate()
  const authority = await context.authorities.loadLatest()
  const origin = logOrigin(context.tenant, authority)
  const key = getOwnKey(context, authority)
  await heads.follow(origin)
  const tree = await store.readTree()
  const problem = heads.findHeadProblem(tree.head, tree)
  if (problem !== undefined) throw new HeadMismatch(problem)
  const last = await store.readCheckpoint()
  const signer = computeNoteKeyId(origin, key, context.sha256)
  if (last !== null && last.size === tree.size && isSignedBy(last.note, origin, signer)) return last

  await failpoints.reach('checkpoint.before_sign')
  const note = await signNote(context, origin, tree, signer)
  const checkpoint: StoredCheckpoint = { epoch: authority.epoch, size: tree.size, note }
  await failpoints.reach('checkpoint.before_save')
  for (const sink of context.sinks) await sink.save(origin, note)
  await store.saveCheckpoint(checkpoint)
  await failpoints.reach('checkpoint.after_save')
  return checkpoint
}

/** The raw key that signs here. One that was retired signs no more, whoever still holds it. */
function getOwnKey({ signer }: Context, { keys }: Authority): Uint8Array {
  const own = signer.publicKey('checkpoint')
  const record = own === null ? undefined : keys.get(own.key_id)
  const raw =
    record !== undefined && isKeyInUse(record) ? decodeBase64(record.public_key) : undefined
  if (raw === undefined) throw new KeyMissing('checkpoint')
  return raw
}

function isSignedBy(text: string, origin: string, keyId: Uint8Array): boolean {
  const note = parseNote(text)
  return (
    note.ok &&
    note.value.signatures.some((one) => one.name === origin && isEqualBytes(one.keyId, keyId))
  )
}

async function signNote(
  { signer }: Context,
  origin: string,
  { size, root }: TreeSize,
  keyId: Uint8Array,
): Promise<string> {
  const body = formatCheckpointBody({ origin, size, root, extensions: [] })
  const signature = await signer.sign('checkpoint', encodeUtf8(body))
  return formatNote(body, [{ name: origin, keyId, signature }])
}
