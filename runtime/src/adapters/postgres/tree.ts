/**
 * The tree as this process knows it. Others extend it too: what they placed is taken up only under a
 * head that holds, so that nothing is signed here that somebody else put into the database.
 *
 * Invariants:
 * 1. One at a time works with it: between reading and writing nobody else grows it.
 * 2. It is caught up with the database before it grows, inside the transaction that holds the lock of
 *    the sequencer, or from one snapshot.
 */
import { type Address, type Sha256, TILE_LEAVES } from 'rubicon-kernel'
import { HeadMismatch } from '../../ports/head-mismatch.ts'
import type { HeadKeeper, StoredTree } from '../../ports/tree.ts'
import { GrowingTree, type Tile } from '../unit/growing-tree.ts'
import { unsignedError } from '../unit/unsigned.ts'
import { arraysOf, type Column, column, putStatement } from './bulk.ts'
import type { Readers } from './connections.ts'
import { LOCK_EXCLUSIVE, lockKey } from './locks.ts'
import { parseBytes, parseId, parseNumber, parseText } from './rows.ts'
import { type Session, type Statement, together } from './session.ts'

/** Bound by what a statement may return, not by how far the tree goes. */
const EVERY = 2_147_483_647

export class PostgresTree {
  readonly #tenant: string
  readonly #sha256: Sha256
  #tree: GrowingTree | undefined
  #keeper: HeadKeeper | undefined
  #signed: string | null = null
  #busy: Promise<unknown> = Promise.resolve()

  constructor(tenant: string, sha256: Sha256) {
    this.#tenant = tenant
    this.#sha256 = sha256
  }

  /** From one moment. */
  current(readers: Readers): Promise<StoredTree> {
    return this.alone(() =>
      readers.read(async (session) => {
        const began = session.script('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
        const [head] = await together([this.#catchUp(session), began])
        await session.script('COMMIT')
        return { ...this.#grown.current, head }
      }),
    )
  }

  /** From here on heads are of this keeper; what is there gets one at once. */
  keepBy(keeper: HeadKeeper, from: 'kept' | 'leaves', readers: Readers): Promise<void> {
    this.#keeper = keeper
    return this.alone(() =>
      readers.once(async (session) => {
        await together(this.lock(session))
        if (from === 'leaves') await this.#readLeaves(session)
        else await this.assertHeld(session)
        await together([...this.grow([], session), session.commit()])
        this.settle()
      }),
    )
  }

  /** Begins; waits for whoever places entries just now, and keeps the next one waiting until the commit. */
  lock(session: Session): Promise<unknown>[] {
    const key = lockKey('sequencer', this.#tenant, '', this.#sha256)
    const began = session.script('BEGIN ISOLATION LEVEL READ COMMITTED')
    return [began, session.run(LOCK_EXCLUSIVE, key)]
  }

  /** The next begins when this one has ended; what it did not commit is forgotten. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#busy.then(work).finally(() => this.#tree?.forget())
    this.#busy = done.catch(() => {})
    return done
  }

  /** Before the tree grows: what stands there must be what was signed. */
  async assertHeld(session: Session): Promise<void> {
    const head = await this.#catchUp(session)
    const tree = this.#grown
    if (tree.size === 0 && head === null) return
    if (this.#keeper === undefined && head !== null) throw unsignedError('postgres')
    const problem = this.#keeper?.problem(head, tree.current)
    if (problem === undefined) return
    this.#tree = undefined
    throw new HeadMismatch(problem)
  }

  /** Places these behind all others: the statements that write it, to be sent before the commit. */
  grow(ids: readonly Address[], session: Session): Promise<unknown>[] {
    const tree = this.#grown
    tree.add(ids)
    const written = [session.run(PUT_TILES, this.#tenant, ...arraysOf(TILES, tree.whole))]
    if (this.#keeper !== undefined && tree.size > 0) {
      this.#signed = this.#keeper.sign(tree.current)
      written.push(session.run(PUT_TREE_HEAD, this.#tenant, this.#signed))
    }
    return written
  }

  settle(): void {
    this.#grown.settle()
    if (this.#signed !== null) this.#keeper?.keep(this.#signed)
  }

  get #grown(): GrowingTree {
    if (this.#tree === undefined) throw new Error('the tree is read before it is used')
    return this.#tree
  }

  async #readLeaves(session: Session): Promise<void> {
    const ids = await listIds(0, EVERY, this.#tenant, session)
    this.#tree = GrowingTree.read([], () => ids, this.#sha256)
  }

  /** Takes up what others placed, tiles and all; returns the head that stands there. */
  async #catchUp(session: Session): Promise<string | null> {
    const [[row]] = await together([session.run(TREE_HEAD, this.#tenant), this.#follow(session)])
    return row === undefined ? null : parseText(row, 'head')
  }

  async #follow(session: Session): Promise<void> {
    if (this.#tree === undefined) {
      const tiles = await listTiles(0, EVERY, this.#tenant, session)
      const ids = await listIds(tiles.length * TILE_LEAVES, EVERY, this.#tenant, session)
      this.#tree = GrowingTree.read(tiles, () => ids, this.#sha256)
    } else {
      this.#tree.add(await listIds(this.#tree.size, EVERY, this.#tenant, session))
      this.#tree.settle()
    }
  }
}

export async function listIds(
  from: number,
  limit: number,
  tenant: string,
  session: Session,
): Promise<Address[]> {
  return (await session.run(IDS, tenant, from, limit)).map(parseId)
}

/** As far as they follow one another: a hash that stands behind a gap is none of the next run. */
export async function listTiles(
  from: number,
  limit: number,
  tenant: string,
  session: Session,
): Promise<Uint8Array[]> {
  const tiles: Uint8Array[] = []
  for (const row of await session.run(LIST_TILES, tenant, from, limit)) {
    const hash = parseBytes(row, 'hash')
    if (hash === undefined || parseNumber(row, 'number') !== from + tiles.length) break
    tiles.push(hash)
  }
  return tiles
}

const TILES: readonly Column<Tile>[] = [
  column('number', 'bigint', ({ index }) => index),
  column('hash', 'bytea', ({ hash }) => hash),
]
const PUT_TILES = putStatement('tiles', ['number'], TILES)

const IDS: Statement = {
  name: 'leaf_ids',
  text: `SELECT e.id FROM (SELECT leaf, row FROM leaves
      WHERE tenant = $1 AND leaf >= $2 ORDER BY leaf LIMIT $3) AS l
    CROSS JOIN LATERAL (SELECT id FROM entries WHERE entries.row = l.row OFFSET 0) AS e
    ORDER BY l.leaf`,
}
const LIST_TILES: Statement = {
  name: 'list_tiles',
  text: `SELECT number, hash FROM tiles
    WHERE tenant = $1 AND number >= $2 ORDER BY number LIMIT $3`,
}
const TREE_HEAD: Statement = {
  name: 'tree_head',
  text: 'SELECT head FROM tree_heads WHERE tenant = $1',
}
const PUT_TREE_HEAD: Statement = {
  name: 'put_tree_head',
  text: `INSERT INTO tree_heads (tenant, head) VALUES ($1, $2)
    ON CONFLICT (tenant) DO UPDATE SET head = EXCLUDED.head`,
}
