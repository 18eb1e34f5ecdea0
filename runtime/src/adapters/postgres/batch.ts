/**
 * One transaction over many units: lock, read, judge, write, commit.
 *
 * Every name that a unit reads or writes is locked before anything is read, in one order, whether
 * the thing exists or not; so nothing that a guard looked at can change before the commit, and
 * nobody waits in a circle. Heads are locked as rows as well. A batch with more names than the
 * server has room for takes the authority lock alone instead: then there is nobody beside it.
 *
 * Invariants:
 * 1. A batch relies on the law of one moment: it holds the authority lock shared until its end, or
 *    alone when it appends to the authority (protocol, order).
 * 2. Before all else a batch marks the row of its engine with its number: an engine that was
 *    declared dead writes nothing (engines.ts), and after a lost connection the mark says whether
 *    the batch is there.
 * 3. Guards and writes are worked out completely before the first row is written (S1, S2).
 */
import type { Sha256 } from 'rubicon-kernel'
import type { Unit, UnitOutcome } from '../../ports/store.ts'
import { planUnit, toUnitOutcome } from '../unit/plan-unit.ts'
import type { RowCodes } from '../unit/row-codes.ts'
import type { Planned } from '../unit/unit-plan.ts'
import type { EnginePlace } from './engines.ts'
import { type Fetching, fetchWanted } from './fetch.ts'
import { fetchGap } from './fetch-gap.ts'
import { LOCK_ALL, LOCK_EXCLUSIVE, LOCK_SHARED, lockKey, lockKeys } from './locks.ts'
import { Missing } from './missing.ts'
import { encodeArray } from './parameters.ts'
import { sealBatch } from './seal-batch.ts'
import type { ServerTime } from './server-time.ts'
import { awaitAll, type DatabaseSession, type NamedStatement } from './session.ts'
import { PostgresState } from './state.ts'
import type { PostgresTree } from './tree.ts'
import { WantedRows } from './wanted.ts'
import { isEmpty, writeChanges } from './write.ts'

/** All processes together have room for some thousands. */
const MOST_NAMES = 1_024

export type BatchContext = {
  readonly tenant: string
  readonly sha256: Sha256
  readonly codes: RowCodes
  readonly time: ServerTime
  readonly place: EnginePlace
  readonly tree: PostgresTree
}

/** What to tell who sent a unit. A unit that breaks an invariant rejects alone. */
export type UnitAnswer =
  | { readonly ok: true; readonly outcome: UnitOutcome }
  | { readonly ok: false; readonly error: unknown }

/** There was no answer to the COMMIT: nobody knows yet what became of it. */
export class CommitUnknown extends Error {
  readonly answers: readonly UnitAnswer[]
  readonly seal: string | null

  constructor(answers: readonly UnitAnswer[], seal: string | null, cause: unknown) {
    super('no answer to a COMMIT', { cause })
    this.answers = answers
    this.seal = seal
  }
}

/** When it throws, nothing is committed, or nobody knows; the transaction may still be open. */
export async function runBatch(
  units: readonly Unit[],
  number: number,
  session: DatabaseSession,
  context: BatchContext,
): Promise<readonly UnitAnswer[]> {
  const wanted = new WantedRows(units, context.sha256)
  for (;;) {
    try {
      const { fetching, now } = await begin(wanted, number, session, context)
      const answers: UnitAnswer[] = []
      for (const unit of units) answers.push(await judge(unit, now, fetching, context))
      return await finish(fetching, answers, context)
    } catch (error) {
      if (!(error instanceof Missing)) throw error
      // A branch leads to a trajectory that no unit names. Locks are taken in order: start over.
      await session.runScript('ROLLBACK')
      wanted.addTrajectory(error.gap.trajectory)
    }
  }
}

/** All of this is sent at once; the server does one after the other. */
async function begin(
  wanted: WantedRows,
  number: number,
  session: DatabaseSession,
  { tenant, sha256, codes, place, time }: BatchContext,
): Promise<{ readonly fetching: Fetching; readonly now: string }> {
  const fetching = { state: new PostgresState(sha256), tenant, session, codes }
  const names = wanted.listLockNames()
  const isAlone = wanted.appendsAuthority || names.size > MOST_NAMES
  const keys = isAlone ? [] : lockKeys(tenant, names)
  const authority = isAlone ? LOCK_EXCLUSIVE : LOCK_SHARED
  const [[mark], now] = await session.send(async () => {
    const began = session.runScript('BEGIN ISOLATION LEVEL READ COMMITTED')
    const allowed = session.run(authority, lockKey('authority', tenant, '', sha256))
    const marked = session.run(MARK, tenant, place.epoch, number)
    const locked = session.run(LOCK_ALL, encodeArray('bigint', keys))
    // After the locks: who waited for them long is judged by when he got them.
    const asked = time.ask(session)
    const fetched = fetchWanted(fetching, wanted)
    const [rows, at] = await awaitAll([marked, asked, began, allowed, locked, ...fetched])
    return [rows, at] as const
  })
  if (mark === undefined) throw place.lose()
  return { fetching, now }
}

async function judge(
  unit: Unit,
  now: string,
  fetching: Fetching,
  { tenant, sha256 }: BatchContext,
): Promise<UnitAnswer> {
  const { state } = fetching
  let planned: Planned
  for (;;) {
    try {
      planned = planUnit(unit, state, { tenant, sha256, now })
      break
    } catch (error) {
      if (!(error instanceof Missing)) return { ok: false, error }
      if (error.gap.kind === 'head') throw error
      await fetchGap(fetching, error.gap)
    }
  }
  if (!planned.ok) return { ok: true, outcome: planned }
  state.apply(planned.plan)
  return { ok: true, outcome: toUnitOutcome(planned.plan) }
}

async function finish(
  { state, tenant, session, codes }: Fetching,
  answers: readonly UnitAnswer[],
  { sha256, tree }: BatchContext,
): Promise<readonly UnitAnswer[]> {
  if (isEmpty(state.changes)) {
    await session.runScript('ROLLBACK')
    return answers
  }
  const seal = await sealBatch(state.changes.entries, tree, session)
  const [rows, commit] = await session.send(() => {
    const written = writeChanges(state.changes, tenant, session, { sha256, codes, seal })
    const committed = session.commit().then(
      (done) => ({ done }) as const,
      (cause: unknown) => ({ cause }) as const,
    )
    return Promise.all([Promise.allSettled(written), committed])
  })
  const name = seal?.name ?? null
  if ('cause' in commit) throw new CommitUnknown(answers, name, commit.cause)
  tree.own.markEnded(name, commit.done)
  if (commit.done) return answers
  const failed = rows.find(({ status }) => status === 'rejected')
  throw failed?.status === 'rejected' ? failed.reason : new Error('a COMMIT was a rollback')
}

/** Waits for whoever is just declaring this engine dead, and makes who comes later wait. */
const MARK: NamedStatement = {
  name: 'engine_mark',
  text: `UPDATE engines SET batch = $3
    WHERE tenant = $1 AND epoch = $2 AND ended_at IS NULL RETURNING epoch`,
}
