/**
 * At start the ledger is compared with the last checkpoint kept outside the database. A ledger that
 * is shorter or different is read-only: it is never cut or repaired by itself.
 */
import {
  type Authority,
  type Checkpoint,
  equalBytes,
  extendTree,
  type Failure,
  leafHash,
  leafInput,
  parseCheckpoint,
  parseNote,
  TILE_LEAVES,
  tiledRoot,
  treeOfTiles,
} from 'rubicon-kernel'
import type { KeptNote } from '../ports/checkpoint-sink.ts'
import { logOrigin, logPrefix } from './checkpoint.ts'
import type { Context } from './context.ts'

export type Rollback = {
  readonly place: string
  readonly note: string
  readonly checkpointSize: number
  readonly ledgerSize: number
  readonly kind: 'shorter' | 'different' | 'unreadable'
}

/** Null when the ledger reaches every checkpoint that was kept of it. */
export async function findRollback(context: Context): Promise<Rollback | null> {
  const authority = await context.authorities.latest()
  const ledgerSize = await context.store.leafCount()
  for (const sink of context.sinks) {
    const kept = await sink.latestOf(logPrefix(context.tenant, authority))
    if (kept === null) continue
    const found = await compare(context, authority, kept, ledgerSize)
    if (found !== null) return { place: sink.place, note: kept.note, ledgerSize, ...found }
  }
  return null
}

async function compare(
  context: Context,
  authority: Authority,
  { epoch, note }: KeptNote,
  ledgerSize: number,
): Promise<Pick<Rollback, 'kind' | 'checkpointSize'> | null> {
  const checkpoint = readNote(note)
  if (epoch < authority.epoch) return null
  if (checkpoint?.origin !== `${logPrefix(context.tenant, authority)}/${epoch}`)
    return { kind: 'unreadable', checkpointSize: 0 }
  const { size, root } = checkpoint
  if (size > ledgerSize || epoch > authority.epoch) return { kind: 'shorter', checkpointSize: size }
  const actual = await rootOfFirst(context, size)
  return equalBytes(actual, root) ? null : { kind: 'different', checkpointSize: size }
}

/** From tiles, which the signed head vouches for, and the ids behind the last of them. */
async function rootOfFirst({ store, sha256 }: Context, size: number): Promise<Uint8Array> {
  const tiles = await store.tiles(0, Math.floor(size / TILE_LEAVES))
  const tiled = treeOfTiles(tiles, sha256)
  const ids = await store.leafIds(tiled.size, size - tiled.size)
  const leaves = ids.map((id) => leafHash(leafInput(id), sha256))
  return tiledRoot(extendTree(tiled, leaves, sha256).tree, sha256)
}

/** How many entries a note kept outside covers, of this ledger and its epoch; 0 without any. */
export async function coveredByNotes(context: Context, authority: Authority): Promise<number> {
  let covered = 0
  for (const sink of context.sinks) {
    const note = await sink.latest(logOrigin(context.tenant, authority))
    covered = Math.max(covered, note === null ? 0 : (readNote(note)?.size ?? 0))
  }
  return covered
}

function readNote(note: string): Checkpoint | undefined {
  const parsed = parseNote(note)
  return parsed.ok ? parseCheckpoint(parsed.value.body) : undefined
}

export function rollbackFailure({ place, checkpointSize, ledgerSize, kind }: Rollback): Failure {
  return {
    code: 'LEDGER_ROLLBACK',
    summary:
      kind === 'shorter'
        ? `the ledger has ${ledgerSize} entries, its last checkpoint covers ${checkpointSize}`
        : `the ledger is ${kind === 'different' ? 'not the one that' : 'not comparable:'} its last checkpoint ${kind === 'different' ? 'was signed for' : 'cannot be read'}`,
    why: `a checkpoint is kept in ${place}; an old copy was restored, or the tail was lost`,
    fix: 'restore the newest copy, or accept the loss: rubicon ledger accept-restore --reason "…"',
    meta: { checkpoint_size: checkpointSize, ledger_size: ledgerSize },
  }
}
