/**
 * At start the ledger is compared with the last checkpoint kept outside the database. A ledger that
 * is shorter or different is read-only: it is never cut or repaired by itself.
 */

import {
  type Authority,
  type Checkpoint,
  decodeBase64,
  type Failure,
  isEqualBytes,
  parseCheckpoint,
  parseHeadText,
  parseNote,
  type TreeSize,
} from 'rubicon-kernel'
import { findHighestEpoch } from '../../ports/checkpoint-sink.ts'
import { HeadMismatch } from '../../ports/head-mismatch.ts'
import type { Context } from '../engine-context.ts'
import { logOrigin, logPrefix } from './checkpoint.ts'
import { computePrefixRoot } from './prefix-root.ts'

export type Rollback = {
  readonly place: string
  readonly note: string
  readonly checkpointSize: number
  readonly ledgerSize: number
  readonly kind: 'shorter' | 'different' | 'unreadable'
}

/**
 * Null when the ledger reaches every checkpoint, and every head, that was kept of it; of those that
 * `isLookedAt` leaves out nothing is said.
 */
export async function findRollback(
  context: Context,
  isLookedAt: (note: string) => boolean = () => true,
): Promise<Rollback | null> {
  const keptBefore = await readKeptCheckpoints(context, await context.authorities.loadLatest())
  // Read after what is kept: whatever was kept by then, by any process, the ledger has reached.
  const authority = await context.authorities.loadLatest()
  const ledgerSize = await context.store.countLeaves()
  for (const { place, note, ...kept } of keptBefore) {
    if (!isLookedAt(note)) continue
    const found = await compare(context, authority, kept, ledgerSize)
    if (found !== null) return { place, note, ledgerSize, ...found }
  }
  return null
}

/**
 * Throws where another history of this log was signed: two processes that have the same keys run on two
 * copies of the store. Each would go on signing what it did under the name of both.
 */
export async function checkForks(context: Context): Promise<void> {
  const { store, headKey } = context
  const own = (await store.readCheckpoint())?.note
  const isOthers = (note: string): boolean =>
    note !== own && parseHeadText(note)?.signature.key_id !== headKey.key_id
  const fork = await findRollback(context, isOthers)
  if (fork === null) return
  throw new HeadMismatch(`another history of the same log was signed, and is kept in ${fork.place}`)
}

/** What is known outside the store of how far the log has come. */
type Kept = {
  readonly place: string
  /** As it was kept: a signed note, or a head. */
  readonly note: string
  readonly epoch: number
  /** Undefined: it cannot be read. */
  readonly reached: (TreeSize & { readonly origin: string }) | undefined
}

export async function readKeptCheckpoints(
  { sinks, headPlace, tenant }: Context,
  authority: Authority,
): Promise<readonly Kept[]> {
  const prefix = logPrefix(tenant, authority)
  const kept: Kept[] = []
  for (const sink of sinks) {
    const note = await sink.latestOf(prefix)
    if (note !== null) kept.push({ place: sink.place, ...note, reached: readNote(note.note) })
  }
  for (const note of headPlace?.read() ?? []) {
    const reached = readHead(note)
    const epoch = findHighestEpoch([reached?.origin ?? ''], prefix)
    if (epoch !== null) kept.push({ place: headPlace?.place ?? '', note, epoch, reached })
  }
  return kept
}

function readHead(text: string): Kept['reached'] {
  const body = parseHeadText(text)?.body
  const root = decodeBase64(body?.root ?? '')
  return body === undefined || root === undefined ? undefined : { ...body, root }
}

async function compare(
  context: Context,
  authority: Authority,
  { epoch, reached }: Pick<Kept, 'epoch' | 'reached'>,
  ledgerSize: number,
): Promise<Pick<Rollback, 'kind' | 'checkpointSize'> | null> {
  if (epoch < authority.epoch) return null
  if (reached?.origin !== `${logPrefix(context.tenant, authority)}/${epoch}`)
    return { kind: 'unreadable', checkpointSize: 0 }
  const { size, root } = reached
  if (size > ledgerSize || epoch > authority.epoch) return { kind: 'shorter', checkpointSize: size }
  const actual = await computePrefixRoot(context, size)
  return isEqualBytes(actual, root) ? null : { kind: 'different', checkpointSize: size }
}

/** How many entries a note kept outside covers, of this ledger and its epoch; 0 without any. */
export async function countCoveredEntries(context: Context, authority: Authority): Promise<number> {
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

/** What was made to be thrown away has a mark, without which `reset` deletes nothing. */
const HOW_TO_GO_ON =
  'restore the newest copy of the store; to begin anew, where `up --demo`, `quickstart` or `dev` made it: `rubicon reset --store ADDRESS` (sqlite:.rubicon/rubicon.db if you named none); to go on with what is left, on the record: `rubicon ledger accept-restore --reason "…"`'

export function toRollbackFailure({ place, checkpointSize, ledgerSize, kind }: Rollback): Failure {
  return {
    code: 'LEDGER_ROLLBACK',
    summary:
      kind === 'shorter'
        ? `the ledger has ${ledgerSize} entries, its last checkpoint covers ${checkpointSize}`
        : `the ledger is ${kind === 'different' ? 'not the one that' : 'not comparable:'} its last checkpoint ${kind === 'different' ? 'was signed for' : 'cannot be read'}`,
    why: `what it was is kept in ${place}: an old copy was restored, the tail was lost, or the store was deleted and its state directory was not`,
    fix: HOW_TO_GO_ON,
    meta: { checkpoint_size: checkpointSize, ledger_size: ledgerSize },
  }
}
