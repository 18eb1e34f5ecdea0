/**
 * At start the ledger is compared with the last checkpoint kept outside the database. A ledger that
 * is shorter or different is read-only: it is never cut or repaired by itself.
 */
import {
  AUTHORITY,
  type Authority,
  canonicalText,
  emptyFrontier,
  equalBytes,
  err,
  extendFrontierAll,
  type Failure,
  frontierRoot,
  type JsonValue,
  LIMITS,
  leafHash,
  leafInput,
  ok,
  parseCheckpoint,
  parseNote,
  type RestoreAnchor,
  type Result,
} from 'rubicon-kernel'
import type { KeptNote } from '../ports/checkpoint-sink.ts'
import { logPrefix, makeCheckpoint } from './checkpoint.ts'
import type { Context } from './context.ts'
import { signDocument } from './sign.ts'

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
  const parsed = parseNote(note)
  const checkpoint = parsed.ok ? parseCheckpoint(parsed.value.body) : undefined
  if (epoch < authority.epoch) return null
  if (checkpoint?.origin !== `${logPrefix(context.tenant, authority)}/${epoch}`)
    return { kind: 'unreadable', checkpointSize: 0 }
  const { size, root } = checkpoint
  if (size > ledgerSize || epoch > authority.epoch) return { kind: 'shorter', checkpointSize: size }
  const stored = await context.store.checkpoint()
  if (stored !== null && stored.note === note) return null
  const actual = await rootOfFirst(context, size)
  return equalBytes(actual, root) ? null : { kind: 'different', checkpointSize: size }
}

async function rootOfFirst({ store, sha256 }: Context, size: number): Promise<Uint8Array> {
  let frontier = emptyFrontier
  while (frontier.size < size) {
    const limit = Math.min(LIMITS.entriesPerPage, size - frontier.size)
    const page = await store.leaves(frontier.size, limit)
    if (page.length === 0) break
    const hashes = page.map(({ id }) => leafHash(leafInput(id), sha256))
    frontier = extendFrontierAll(frontier, hashes, sha256)
  }
  return frontierRoot(frontier, sha256)
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

/**
 * A copy from before an accepted restore does not know of it, and its notes are in some place only.
 * An epoch that was used once would be two histories under one name, both signed.
 */
async function highestEpochUsed(context: Context, authority: Authority): Promise<number> {
  const prefix = logPrefix(context.tenant, authority)
  const kept = await Promise.all(context.sinks.map((sink) => sink.latestOf(prefix)))
  return Math.max(authority.epoch, ...kept.map((one) => one?.epoch ?? 0))
}

/** An operator's signed word that the loss is accepted. Opens a new log epoch that names it. */
export async function acceptRestore(
  context: Context,
  reason: string,
): Promise<Result<RestoreAnchor, Failure>> {
  const rollback = await findRollback(context)
  if (rollback === null)
    return err({
      code: 'NOTHING_TO_ACCEPT',
      summary: 'the ledger reaches its last checkpoint',
      fix: '',
    })
  const authority = await context.authorities.latest()
  const body: RestoreAnchor = {
    action: 'accept_restore',
    epoch: 1 + (await highestEpochUsed(context, authority)),
    checkpoint: rollback.note,
    lost_from: Math.min(rollback.ledgerSize, rollback.checkpointSize),
    lost_to: rollback.checkpointSize,
    reason,
  }
  const signature = await signDocument(context, 'operator', 'anchor', body)
  const outcome = await context.store.commit({
    guards: [{ kind: 'authority_seq', seq: authority.seq }],
    writes: [
      {
        kind: 'append',
        trajectory: AUTHORITY,
        entry: 'anchor',
        payload: canonicalText({ body, signature } as unknown as JsonValue),
      },
    ],
  })
  if (!outcome.ok)
    return err({ code: 'STORE_CONTENTION', summary: 'authority kept changing', fix: 'try again' })
  await context.authorities.atLeast(authority.seq + 1)
  await makeCheckpoint(context)
  return ok(body)
}
