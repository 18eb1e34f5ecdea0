/**
 * What stands before anything is decided or signed: a ledger whose head was signed by a process of this
 * log, whose entries are those of its tree, and that reaches every checkpoint that was kept of it.
 *
 * O1 nothing is signed over a ledger that was not found to be the one that was signed before.
 * O2 an empty store gets its first entries under a head.
 */
import {
  AUTHORITY,
  type Authority,
  err,
  type Failure,
  LIMITS,
  ok,
  type Result,
  TILE_LEAVES,
} from 'rubicon-kernel'
import { HeadMismatch } from '../../ports/head-mismatch.ts'
import { StoreDiverged } from '../../ports/store-diverged.ts'
import { initialiseAuthority } from '../authority/registry/bootstrap.ts'
import type { Context } from '../engine-context.ts'
import { TreeCheck } from '../rows/tree-check.ts'
import { checkNote } from './check-note.ts'
import { logOrigin, toNewLogOrigin } from './checkpoint.ts'
import { toDivergedFailure } from './divergence/diverged-failure.ts'
import { checkAuthorityEnd } from './divergence/trajectories.ts'
import { countCoveredEntries, findRollback, toRollbackFailure } from './rollback.ts'

/** Makes the first entries of a new store, or refuses one that was changed; from then on heads are signed. */
export async function openLedger(context: Context): Promise<Result<void, Failure>> {
  const { store, heads, authorities } = context
  const unfounded = store.exposed ? await findUnfounded(context) : null
  if (unfounded !== null) return err(unfounded)
  if ((await authorities.loadLatest()).seq < 0) {
    const { size, head } = await store.readTree()
    if (size > 0 || head !== null)
      return err(toHeadFailure(new HeadMismatch('the authority trajectory is gone')))
    await signHeads(context, toNewLogOrigin(context))
  }
  const ready = await initialiseAuthority(context)
  if (!ready.ok) return ready
  const damage = await findDamage(context)
  if (damage !== null) return err(damage)
  const origin = logOrigin(context.tenant, await authorities.loadLatest())
  try {
    if (!heads.isSigningFor(origin)) await signHeads(context, origin)
    // Where entries get their places later: those that no process of this log has sealed show now.
    await store.integrate()
  } catch (error) {
    if (!(error instanceof HeadMismatch)) throw error
    return err(toHeadFailure(error))
  }
  return ok(undefined)
}

/** Why authority cannot be folded; null: it can. */
async function findUnfounded(context: Context): Promise<Failure | null> {
  try {
    await checkAuthorityEnd(context)
    return null
  } catch (error) {
    if (!(error instanceof StoreDiverged)) throw error
    return toDivergedFailure(error)
  }
}

async function signHeads({ store, heads }: Context, origin: string): Promise<void> {
  await heads.follow(origin)
  await heads.certify()
  await store.signHeads(heads, 'kept')
}

/** Why nothing may be decided or signed on this ledger; null: nothing was found. */
export async function findDamage(context: Context): Promise<Failure | null> {
  const authority = await context.authorities.loadLatest()
  if (authority.seq < 0) return null
  try {
    await checkHead(context, authority)
    if (context.store.exposed) await checkNote(context, authority)
    await checkAuthority(context)
    await checkLeaves(context, await countCoveredEntries(context, authority))
  } catch (error) {
    if (!(error instanceof HeadMismatch)) throw error
    return toHeadFailure(error)
  }
  const rollback = await findRollback(context)
  return rollback === null ? null : toRollbackFailure(rollback)
}

/** Throws a `HeadMismatch` unless the tree is the one that was signed. */
export async function checkHead(
  { store, heads, tenant }: Context,
  authority: Authority,
): Promise<void> {
  await heads.follow(logOrigin(tenant, authority))
  const tree = await store.readTree()
  // Where entries get their places later, there may be none yet.
  if (tree.size === 0 && tree.head === null) return
  const problem = heads.findHeadProblem(tree.head, tree)
  if (problem !== undefined) throw new HeadMismatch(problem)
  const whole = store.exposed ? Math.floor(tree.size / TILE_LEAVES) : 0
  const tiles = whole === 0 ? [] : await store.listTiles(0, whole)
  if (tiles.length < whole) throw new HeadMismatch(`tile ${tiles.length} of ${whole} is gone`)
}

/** All that authority rests on: a revocation that is changed or gone would give it back. */
async function checkAuthority({ store, sha256 }: Context): Promise<void> {
  const check = new TreeCheck(store, sha256)
  for (let from = 0; ; ) {
    const page = await store.listEntries(AUTHORITY, from, LIMITS.entriesPerPage)
    await check.check(page)
    const gap = page.find(({ envelope }, i) => envelope.seq !== from + i)
    if (gap !== undefined) throw new HeadMismatch('an authority entry before it is gone', gap.leaf)
    from += page.length
    if (page.length < LIMITS.entriesPerPage) return
  }
}

/** Every leaf from `from` on. */
export async function checkLeaves({ store, sha256 }: Context, from: number): Promise<void> {
  const check = new TreeCheck(store, sha256)
  for (let at = from; ; ) {
    const page = await store.listLeaves(at, LIMITS.entriesPerPage)
    await check.check(page)
    at += page.length
    if (page.length < LIMITS.entriesPerPage) return
  }
}

export function toHeadFailure({ message, fix, leaf }: HeadMismatch): Failure {
  return {
    code: 'HEAD_MISMATCH',
    summary: message,
    why: 'entries were changed, added or taken away by somebody who does not hold the keys, or the disk lost them',
    fix,
    meta: leaf === null ? {} : { leaf },
  }
}
