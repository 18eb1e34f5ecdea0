/**
 * An operator's signed word that the ledger counts as it is, whatever it was before. It opens a new log
 * epoch, which names the last checkpoint that was kept of the old one: whoever has that can still tell
 * what was lost or changed.
 */
import {
  type Authority,
  err,
  type Failure,
  ok,
  parseNote,
  type RestoreAnchor,
  type Result,
} from 'rubicon-kernel'
import { HeadMismatch } from '../../ports/head-mismatch.ts'
import { buildAuthorityWrite } from '../authority/registry/append-authority.ts'
import { initialiseAuthority } from '../authority/registry/bootstrap.ts'
import type { Context } from '../engine-context.ts'
import { buildContentionFailure } from '../rows/contention.ts'
import { signDocument } from '../rows/sign.ts'
import { checkReason } from '../rows/unreasoned.ts'
import { logPrefix, makeCheckpoint } from './checkpoint.ts'
import { checkLeaves, openLedger } from './open-ledger.ts'
import { findRollback, readKeptCheckpoints } from './rollback.ts'

/** What an operator's word is about; anything else has to be set right first. */
const ACCEPTABLE: readonly string[] = ['HEAD_MISMATCH', 'LEDGER_ROLLBACK']

export async function acceptRestore(
  context: Context,
  reason: string,
): Promise<Result<RestoreAnchor, Failure>> {
  const unsaid = checkReason(reason, 'whoever accepts a restore')
  if (unsaid !== null) return err(unsaid)
  const opened = await openLedger(context)
  if (opened.ok)
    return err({
      code: 'NOTHING_TO_ACCEPT',
      summary: 'there is nothing to accept',
      why: 'the tree is the one that was signed, and reaches its last checkpoint',
      fix: 'see `rubicon verify`, which reads every entry; what it finds cannot be accepted',
    })
  if (!ACCEPTABLE.includes(opened.error.code)) return opened
  const ready = await initialiseAuthority(context)
  if (!ready.ok) return ready
  const authority = await context.authorities.loadLatest()
  const epoch = 1 + (await findHighestEpoch(context, authority))
  const readable = await signRebuiltTree(context, authority, epoch)
  if (!readable.ok) return readable
  const body = {
    action: 'accept_restore',
    epoch,
    reason,
    ...(await findLostRange(context)),
  } as const
  const signature = await signDocument(context, 'operator', 'anchor', body)
  const outcome = await context.store.commit({
    guards: [{ kind: 'authority_seq', seq: authority.seq }],
    writes: [buildAuthorityWrite('anchor', { body, signature })],
  })
  if (!outcome.ok) return err(buildContentionFailure('authority'))
  await context.authorities.loadAtLeast(authority.seq + 1)
  await makeCheckpoint(context)
  return ok(body)
}

/**
 * A copy from before an accepted restore does not know of it, and its notes are in some place only.
 * An epoch that was used once would be two histories under one name, both signed.
 */
async function findHighestEpoch(context: Context, authority: Authority): Promise<number> {
  const kept = await readKeptCheckpoints(context, authority)
  return Math.max(authority.epoch, ...kept.map(({ epoch }) => epoch))
}

/** The tree anew from every leaf. Entries that do not fit their own hashes cannot be accepted: no verifier would. */
async function signRebuiltTree(
  context: Context,
  authority: Authority,
  epoch: number,
): Promise<Result<void, Failure>> {
  const { store, heads, tenant } = context
  await heads.follow(`${logPrefix(tenant, authority)}/${epoch}`)
  await heads.certify()
  await store.signHeads(heads, 'leaves')
  try {
    await checkLeaves(context, 0)
    return ok(undefined)
  } catch (error) {
    if (!(error instanceof HeadMismatch)) throw error
    const fix = 'restore an unchanged copy: no verifier accepts this entry'
    return err({ code: 'HEAD_MISMATCH', summary: error.message, fix })
  }
}

/** The last checkpoint that is known, kept elsewhere if there is one, and what the ledger has lost of it. */
async function findLostRange(
  context: Context,
): Promise<Pick<RestoreAnchor, 'checkpoint' | 'lost_from' | 'lost_to'>> {
  const rollback = await findRollback(context)
  const kept = await readKeptCheckpoints(context, await context.authorities.loadLatest())
  const stored = await context.store.readCheckpoint()
  const notes = [rollback, ...kept, stored].flatMap((one) => one?.note ?? [])
  const checkpoint = notes.find((note) => parseNote(note).ok) ?? ''
  const size = rollback?.ledgerSize ?? (await context.store.countLeaves())
  const lost_to = rollback?.checkpointSize ?? size
  return { checkpoint, lost_from: Math.min(size, lost_to), lost_to }
}
