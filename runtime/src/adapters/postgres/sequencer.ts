/**
 * Gives committed entries their places in the tree, one process at a time.
 *
 * Invariants:
 * 1. A place once given is never changed, and there are no gaps: the tree only grows (S4).
 * 2. Of a trajectory a prefix has places, since of a trajectory a prefix is visible: heads are held
 *    until the commit. So how far it came is one number for each trajectory.
 * 3. What is read at once is read in one statement, so from one moment (tree-order.ts).
 */
import { type Address, AUTHORITY } from 'rubicon-kernel'
import { arraysOf, type Column, column, insertStatement, putStatement } from './bulk.ts'
import type { Readers } from './connections.ts'
import { parseId, parseNumber, parseText, type Row } from './rows.ts'
import { type Session, type Statement, together } from './session.ts'
import type { PostgresTree } from './tree.ts'
import { treeOrder, type Unplaced } from './tree-order.ts'

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
    if (this.#running === undefined) return this.#start()
    this.#next ??= this.#running.catch(() => {}).then(() => this.#start())
    return this.#next
  }

  /** There are new entries. Readers who come by should not find them without a place for long. */
  noticed(): void {
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined
      // Whoever needs the tree asks for it and hears what is wrong.
      this.integrate().catch(() => {})
    }, SOON_MS).unref()
  }

  stop(): void {
    clearTimeout(this.#soon)
  }

  #start(): Promise<void> {
    this.#next = undefined
    this.#running = this.#place().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  async #place(): Promise<void> {
    // Often there is nothing to do, and nobody has to wait to find that out.
    const isDone = await this.#readers.read(async (session) => {
      return (await session.run(ANY_UNPLACED, this.#tenant)).length === 0
    })
    let placed = isDone ? 0 : AT_ONCE
    while (placed === AT_ONCE) {
      placed = await this.#tree.alone(() =>
        this.#readers.once((session) => {
          return placeSome(session, this.#tenant, this.#tree)
        }),
      )
    }
  }
}

async function placeSome(session: Session, tenant: string, tree: PostgresTree): Promise<number> {
  const locked = tree.lock(session)
  const counted = session.run(SIZE, tenant)
  const read = session.run(UNPLACED, tenant, AT_ONCE)
  const [[size], rows] = await together([counted, read, ...locked])
  const start = parseNumber(size, 'size') ?? 0
  const entries = treeOrder(rows.map(parseUnplaced))
  if (entries.length === 0) {
    await session.script('ROLLBACK')
    return 0
  }
  await tree.assertHeld(session)
  const leaves = entries.map(({ row }, i) => ({ leaf: start + i, row }))
  const last = new Map(entries.map((entry) => [entry.trajectory, entry]))
  const written = [
    session.run(INSERT_LEAVES, tenant, ...arraysOf(LEAVES, leaves)),
    session.run(PUT_PLACED, tenant, ...arraysOf(PLACED, [...last.values()])),
    ...tree.grow(
      entries.map(({ id }) => id),
      session,
    ),
  ]
  const committed = session.commit()
  await together([...written, committed])
  if (await committed) tree.settle()
  return entries.length
}

type Placing = Unplaced & { readonly id: Address }

function parseUnplaced(row: Row): Placing {
  return {
    id: parseId(row),
    row: parseNumber(row, 'row') ?? 0,
    trajectory: parseText(row, 'trajectory'),
    seq: parseNumber(row, 'seq') ?? 0,
    authorityHead: parseNumber(row, 'authority_head') ?? -1,
  }
}

const LEAVES: readonly Column<Leaf>[] = [
  column('leaf', 'bigint', ({ leaf }) => leaf),
  column('row', 'bigint', ({ row }) => row),
]
const INSERT_LEAVES = insertStatement('leaves', LEAVES)

const PLACED: readonly Column<Unplaced>[] = [
  column('trajectory', 'text', ({ trajectory }) => trajectory),
  column('seq', 'bigint', ({ seq }) => seq),
]
const PUT_PLACED = putStatement('placed', ['trajectory'], PLACED)

const SIZE: Statement = {
  name: 'leaf_count',
  text: 'SELECT max(leaf) + 1 AS size FROM leaves WHERE tenant = $1',
}
const BEHIND = `SELECT h.trajectory, coalesce(p.seq, -1) AS placed
  FROM trajectories AS h LEFT JOIN LATERAL (SELECT seq FROM placed
    WHERE placed.tenant = h.tenant AND placed.trajectory = h.trajectory OFFSET 0) AS p ON true
  WHERE h.tenant = $1 AND h.seq > coalesce(p.seq, -1)`
const ANY_UNPLACED: Statement = { name: 'any_unplaced', text: `${BEHIND} LIMIT 1` }
/** Of each trajectory the next ones, by its index; of those the first of the tree's order. */
const UNPLACED: Statement = {
  name: 'unplaced',
  text: `SELECT e.row, e.id, e.trajectory, e.seq, e.authority_head
    FROM (${BEHIND}) AS behind CROSS JOIN LATERAL (
      SELECT row, id, trajectory, seq, authority_head FROM entries
      WHERE tenant = $1 AND trajectory = behind.trajectory AND seq > behind.placed
      ORDER BY seq LIMIT $2) AS e
    ORDER BY e.authority_head, e.trajectory <> '${AUTHORITY}', e.row LIMIT $2`,
}
