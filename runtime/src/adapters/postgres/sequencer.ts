/**
 * Gives committed entries their places in the tree, one process at a time.
 *
 * Invariants:
 * 1. A place once given is never changed, and there are no gaps: the tree only grows (S4).
 * 2. Of a trajectory a prefix has places, since of a trajectory a prefix is visible: heads are held
 *    until the commit. So how far it came is one number for each trajectory.
 * 3. What is read at once is read in one statement, so from one moment (tree-order.ts).
 * 4. Nothing gets a place that no process of this log has sealed (admit.ts).
 */
import { AUTHORITY } from 'rubicon-kernel'
import { runUnhurried } from '../../ports/urgent.ts'
import { type AdmittedEntries, admit } from './admit.ts'
import {
  type Column,
  createColumn,
  encodeColumnArrays,
  insertStatement,
  putStatement,
} from './bulk.ts'
import type { Readers } from './connections.ts'
import { ID_COLUMNS, parseEntry, parseNumber, parseText, type Row } from './rows.ts'
import { dropAllSeals, dropSeals } from './seals.ts'
import { awaitAll, type DatabaseSession, type NamedStatement } from './session.ts'
import type { PostgresTree } from './tree.ts'
import { sortTreeEntries, type Unplaced } from './tree-order.ts'
import { EVERY } from './tree-rows.ts'
import type { Waiting } from './whole-batches.ts'

/** Entries that get their places in one transaction. */
const AT_ONCE = 5_000
/** How long new entries may be without a place when nobody asks for it. */
const SOON_MS = 250

type Leaf = { readonly leaf: number; readonly row: number }

export class Sequencer {
  readonly #readers: Readers
  readonly #tenant: string
  readonly #tree: PostgresTree
  #running: Promise<void> | undefined
  #next: Promise<void> | undefined
  #soon: NodeJS.Timeout | undefined

  constructor(readers: Readers, tenant: string, tree: PostgresTree) {
    this.#readers = readers
    this.#tenant = tenant
    this.#tree = tree
  }

  /** Who asks while it is under way needs another round: it may have read before his entries came. */
  integrate(): Promise<void> {
    const { damage } = this.#tree
    if (damage !== undefined) return Promise.reject(damage)
    if (this.#running === undefined) return this.#start()
    this.#next ??= this.#running.catch(() => {}).then(() => this.#start())
    return this.#next
  }

  /** There are new entries. Readers who come by should not find them without a place for long. */
  scheduleIntegration(): void {
    this.#soon ??= runUnhurried(() =>
      setTimeout(() => {
        this.#soon = undefined
        // Whoever needs the tree asks for it and hears what is wrong.
        this.integrate().catch(() => {})
      }, SOON_MS).unref(),
    )
  }

  stop(): void {
    clearTimeout(this.#soon)
  }

  #start(): Promise<void> {
    this.#next = undefined
    this.#running = this.#assignPlaces().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  async #assignPlaces(): Promise<void> {
    const tree = this.#tree
    const due = tree.own.due
    // Often there is nothing to do, and nobody has to wait to find that out.
    let isDone = await this.#readers.read(async (session) => {
      const [[size], rows] = await awaitAll([
        session.run(SIZE, this.#tenant),
        session.run(ANY_UNPLACED, this.#tenant),
      ])
      tree.hear(parseNumber(size, 'size') ?? 0)
      return rows.length === 0
    })
    while (!isDone)
      isDone = await tree.runAlone(() =>
        this.#readers.runOnce((session) => assignSomePlaces(session, tree)),
      )
    // Others placed them, or nobody did.
    if (tree.own.hasWaiting(due)) await tree.assertOwnPlaced(due, this.#readers)
  }
}

/** Whether there was nothing behind what got its place. */
async function assignSomePlaces(session: DatabaseSession, tree: PostgresTree): Promise<boolean> {
  await awaitAll(tree.lock(session))
  for (let limit = AT_ONCE; ; limit *= 2) {
    const waiting = await listUnplaced(limit, session, tree)
    const isAll = waiting.length < limit
    if (waiting.length === 0) {
      await session.runScript('ROLLBACK')
      return true
    }
    await tree.assertHeld(session)
    const admitted = await admit(waiting, isAll, tree, session)
    if (admitted.entries.length === 0) continue
    const written = writePlaces(admitted, tree.size, session, tree)
    const committed = session.commit()
    await awaitAll([...written, committed])
    if (!(await committed)) throw new Error('a COMMIT was a rollback')
    tree.settle()
    for (const name of admitted.seals) tree.own.markPlaced(name)
    return isAll
  }
}

/** Everything that waits gets its place, whoever wrote it. The caller holds the lock, and commits. */
export async function assignAllPlaces(session: DatabaseSession, tree: PostgresTree): Promise<void> {
  const entries = await listUnplaced(EVERY, session, tree)
  const [size] = await session.run(SIZE, tree.tenant)
  const from = parseNumber(size, 'size') ?? 0
  const written = writePlaces({ entries, seals: [] }, from, session, tree)
  await awaitAll([...written, dropAllSeals(tree.tenant, session)])
}

async function listUnplaced(
  limit: number,
  session: DatabaseSession,
  { tenant }: PostgresTree,
): Promise<readonly Waiting[]> {
  return sortTreeEntries((await session.run(UNPLACED, tenant, limit)).map(parseUnplaced))
}

/** The statements that give these their places, the first of them at `from`. */
function writePlaces(
  { entries, seals }: AdmittedEntries,
  from: number,
  session: DatabaseSession,
  tree: PostgresTree,
): Promise<unknown>[] {
  const { tenant } = tree
  const leaves = entries.map(({ row }, i) => ({ leaf: from + i, row }))
  const last = new Map(entries.map((entry) => [entry.trajectory, entry]))
  return [
    session.run(INSERT_LEAVES, tenant, ...encodeColumnArrays(LEAVES, leaves)),
    session.run(PUT_PLACED, tenant, ...encodeColumnArrays(PLACED, [...last.values()])),
    dropSeals(seals, tenant, session),
    ...tree.grow(
      entries.map(({ id }) => id),
      session,
    ),
  ]
}

function parseUnplaced(row: Row): Waiting {
  const { id, envelope } = parseEntry(row)
  return {
    id,
    envelope,
    seal: row.seal === null ? null : parseText(row, 'seal'),
    row: parseNumber(row, 'row') ?? 0,
    trajectory: envelope.trajectory,
    seq: envelope.seq,
    authorityHead: parseNumber(row, 'authority_head') ?? -1,
  }
}

const LEAVES: readonly Column<Leaf>[] = [
  createColumn('leaf', 'bigint', ({ leaf }) => leaf),
  createColumn('row', 'bigint', ({ row }) => row),
]
const INSERT_LEAVES = insertStatement('leaves', LEAVES)

const PLACED: readonly Column<Unplaced>[] = [
  createColumn('trajectory', 'text', ({ trajectory }) => trajectory),
  createColumn('seq', 'bigint', ({ seq }) => seq),
]
const PUT_PLACED = putStatement('placed', ['trajectory'], PLACED)

const SIZE: NamedStatement = {
  name: 'leaf_count',
  text: 'SELECT max(leaf) + 1 AS size FROM leaves WHERE tenant = $1',
}
const BEHIND = `SELECT h.trajectory, coalesce(p.seq, -1) AS placed
  FROM trajectories AS h LEFT JOIN LATERAL (SELECT seq FROM placed
    WHERE placed.tenant = h.tenant AND placed.trajectory = h.trajectory OFFSET 0) AS p ON true
  WHERE h.tenant = $1 AND h.seq > coalesce(p.seq, -1)`
const ANY_UNPLACED: NamedStatement = { name: 'any_unplaced', text: `${BEHIND} LIMIT 1` }
/** Of each trajectory the next ones, by its index; of those the first of the tree's order. */
const UNPLACED: NamedStatement = {
  name: 'unplaced',
  text: `SELECT e.* FROM (${BEHIND}) AS behind CROSS JOIN LATERAL (
      SELECT row, seal, authority_head, ${ID_COLUMNS} FROM entries
      WHERE tenant = $1 AND trajectory = behind.trajectory AND seq > behind.placed
      ORDER BY seq LIMIT $2) AS e
    ORDER BY e.authority_head, e.trajectory <> '${AUTHORITY}', e.row LIMIT $2`,
}
