/**
 * Signs what the log has become. Before a root is signed, the leaves since the last one are read
 * back from the store and hashed again, so that a bit that rotted is found and not vouched for.
 *
 * C1 a checkpoint extends the frontier of the one before it.
 * C2 it is kept in the store and in every place outside it; the places outside come first, so that
 *    the store is never ahead of its witnesses.
 */
import {
  type Authority,
  checkpointBody,
  decodeFrontier,
  emptyFrontier,
  encodeFrontier,
  entryId,
  extendFrontierAll,
  type Frontier,
  formatNote,
  formatVerifierKey,
  frontierRoot,
  type KeyRecord,
  LIMITS,
  leafHash,
  leafInput,
  noteKeyId,
  payloadHash,
  type Sha256,
  treeRoot,
  unbase64,
  utf8,
} from 'rubicon-kernel'
import type { LeafEntry, StoredCheckpoint } from '../ports/store.ts'
import type { Context } from './context.ts'

const TILE = 256

/** The origin of the log: who keeps it, and since which accepted restore. */
export function logOrigin(tenant: string, authority: Authority): string {
  return `${logPrefix(tenant, authority)}/${authority.epoch}`
}

export function logPrefix(tenant: string, authority: Authority): string {
  const operator = [...authority.keys.values()].find((key) => key.purpose === 'operator')
  return `rubicon/${tenant}/${operator?.key_id ?? 'none'}`
}

/** What others verify the notes of this log with. */
export function logVerifierKey(
  tenant: string,
  authority: Authority,
  { public_key }: Pick<KeyRecord, 'public_key'>,
  sha256: Sha256,
): string {
  const publicKey = unbase64(public_key) ?? new Uint8Array(0)
  return formatVerifierKey({ name: logOrigin(tenant, authority), publicKey }, sha256)
}

export class LedgerCorrupt extends Error {
  readonly leaf: number

  constructor(leaf: number, detail: string) {
    super(`the ledger is damaged at leaf ${leaf}: ${detail}`)
    this.name = 'LedgerCorrupt'
    this.leaf = leaf
  }
}

/** Brings the tree up to the last leaf and signs its root. Returns the checkpoint that stands then. */
export async function makeCheckpoint(context: Context): Promise<StoredCheckpoint> {
  const { store, sha256, failpoints } = context
  await store.integrate()
  const authority = await context.authorities.latest()
  const last = await store.checkpoint()
  const extended = await extend(context, last)
  if (last !== null && last.epoch === authority.epoch && extended.frontier.size === last.size)
    return last

  const root = frontierRoot(extended.frontier, sha256)
  await failpoints.reach('checkpoint.before_sign')
  const origin = logOrigin(context.tenant, authority)
  const note = await signNote(context, origin, extended.frontier.size, root)
  const checkpoint: StoredCheckpoint = {
    epoch: authority.epoch,
    size: extended.frontier.size,
    note,
    frontier: encodeFrontier(extended.frontier),
  }
  await failpoints.reach('checkpoint.before_save')
  for (const sink of context.sinks) await sink.save(origin, note)
  await store.saveCheckpoint(checkpoint, extended.tiles)
  await failpoints.reach('checkpoint.after_save')
  return checkpoint
}

async function signNote(
  context: Context,
  origin: string,
  size: number,
  root: Uint8Array,
): Promise<string> {
  const key = context.signer.publicKey('checkpoint')
  const raw = key === null ? undefined : unbase64(key.public_key)
  if (raw === undefined) throw new Error('no checkpoint key is held here')
  const body = checkpointBody({ origin, size, root, extensions: [] })
  const signature = await context.signer.sign('checkpoint', utf8(body))
  return formatNote(body, [
    { name: origin, keyId: noteKeyId(origin, raw, context.sha256), signature },
  ])
}

type Extended = {
  readonly frontier: Frontier
  readonly tiles: readonly { readonly index: number; readonly hash: Uint8Array }[]
}

async function extend(context: Context, last: StoredCheckpoint | null): Promise<Extended> {
  const { store, sha256 } = context
  let frontier = last === null ? emptyFrontier : decodeFrontier(last.frontier)
  if (frontier === undefined)
    throw new LedgerCorrupt(last?.size ?? 0, 'the stored frontier is damaged')
  const tiles: { index: number; hash: Uint8Array }[] = []
  // Tiles are whole runs of 256 leaves, so reading starts at the beginning of the current run.
  let run = await leavesOf(context, frontier.size - (frontier.size % TILE), frontier.size)
  for (;;) {
    const page = await store.leaves(frontier.size, LIMITS.entriesPerPage)
    if (page.length === 0) return { frontier, tiles }
    const hashes = page.map((entry) => checkedLeaf(context, entry))
    for (const [offset, hash] of hashes.entries()) {
      run.push(hash)
      if (run.length < TILE) continue
      tiles.push({
        index: Math.floor((frontier.size + offset) / TILE),
        hash: treeRoot(run, sha256),
      })
      run = []
    }
    frontier = extendFrontierAll(frontier, hashes, sha256)
  }
}

async function leavesOf(
  { store, sha256 }: Context,
  from: number,
  to: number,
): Promise<Uint8Array[]> {
  const entries = to > from ? await store.leaves(from, to - from) : []
  return entries.map(({ id }) => leafHash(leafInput(id), sha256))
}

function checkedLeaf({ sha256 }: Context, { id, envelope, payload, leaf }: LeafEntry): Uint8Array {
  if (entryId(envelope, sha256) !== id)
    throw new LedgerCorrupt(leaf, 'the id does not fit the envelope')
  if (payload !== null && payloadHash(payload, sha256) !== envelope.payload_hash)
    throw new LedgerCorrupt(leaf, 'the payload does not fit its hash')
  return leafHash(leafInput(id), sha256)
}
