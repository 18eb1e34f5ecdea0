/**
 * The tree as this process knows it. Others extend it too: what they placed is taken up only under a
 * head that holds, so that nothing is signed here that somebody else put into the database.
 *
 * Invariants:
 * 1. One at a time works with it: between reading and writing nobody else grows it.
 * 2. It is caught up with the database before it grows, inside the transaction that holds the lock of
 *    the sequencer, or from one snapshot.
 * 3. Once something was found that no process of this log has signed, nothing is written here any more,
 *    until an operator has accepted what stands there.
 */
import {
  type Address,
  AUTHORITY,
  type HeadedTree,
  isEqualBytes,
  type Sha256,
  TILE_LEAVES,
} from 'rubicon-kernel'
import { HeadMismatch } from '../../ports/head-mismatch.ts'
import type { HeadKeeper, StoredTree } from '../../ports/tree.ts'
import { GrowingTree } from '../unit/growing-tree.ts'
import { createUnsignedError } from '../unit/unsigned.ts'
import type { Readers } from './connections.ts'
import { LOCK_EXCLUSIVE, lockKey } from './locks.ts'
import { OwnBatches } from './own-batches.ts'
import { awaitAll, type DatabaseSession } from './session.ts'
import { type End, TrajectoryEnds } from './trajectory-ends.ts'
import {
  EVERY,
  listEnds,
  listEnvelopes,
  listIds,
  listTiles,
  putTiles,
  putTreeHead,
  readTreeHead,
} from './tree-rows.ts'

export class PostgresTree {
  readonly tenant: string
  readonly sha256: Sha256
  readonly own: OwnBatches = new OwnBatches()
  #tree: GrowingTree | undefined
  #ends: TrajectoryEnds | undefined
  #keeper: HeadKeeper | undefined
  #signed: string | null = null
  #reached = 0
  #damage: HeadMismatch | undefined
  #busy: Promise<unknown> = Promise.resolve()

  constructor(tenant: string, sha256: Sha256) {
    this.tenant = tenant
    this.sha256 = sha256
  }

  /** Who signs; undefined: nobody, and then there must not be a head. */
  get keeper(): HeadKeeper | undefined {
    return this.#keeper
  }

  get damage(): HeadMismatch | undefined {
    return this.#damage
  }

  get size(): number {
    return this.#grown.size
  }

  /** How many leaves there are at least, by what was heard of the database. */
  get reached(): number {
    return this.#reached
  }

  hear(size: number): void {
    this.#reached = Math.max(this.#reached, size)
  }

  /** From one moment. */
  readTree(readers: Readers): Promise<StoredTree> {
    return this.runAlone(() =>
      readers.read(async (session) => {
        return this.#readInSnapshot(session, async () => {
          const head = await this.#catchUp(session)
          const ends = this.#ends ?? (await this.#readEnds(session))
          return { ...toHeadedTree(this.#grown, ends), head }
        })
      }),
    )
  }

  /** Takes up what others placed; throws where a batch of this process is not among it. */
  assertOwnPlaced(due: readonly string[], readers: Readers): Promise<void> {
    return this.runAlone(async () => {
      await readers.read((session) => this.#readInSnapshot(session, () => this.assertHeld(session)))
      this.own.assertPlaced(due)
    })
  }

  /**
   * From here on heads are of this keeper; what is there gets one at once. From the leaves it is whatever
   * stands there: `placeRest` gives the rest their places, sealed or not.
   */
  keepBy(
    keeper: HeadKeeper,
    from: 'kept' | 'leaves',
    readers: Readers,
    placeRest: (session: DatabaseSession) => Promise<unknown>,
  ): Promise<void> {
    this.#keeper = keeper
    return this.runAlone(() =>
      readers.runOnce(async (session) => {
        await awaitAll(this.lock(session))
        if (from === 'kept') await this.assertHeld(session)
        else {
          await this.#readLeaves(session)
          await placeRest(session)
        }
        await this.loadEnds(session)
        await awaitAll([...this.grow([], session), session.commit()])
        this.settle()
        if (from === 'leaves') this.#damage = undefined
      }),
    )
  }

  /** Begins; waits for whoever places entries just now, and keeps the next one waiting until the commit. */
  lock(session: DatabaseSession): Promise<unknown>[] {
    const key = lockKey('sequencer', this.tenant, '', this.sha256)
    const began = session.runScript('BEGIN ISOLATION LEVEL READ COMMITTED')
    return [began, session.run(LOCK_EXCLUSIVE, key)]
  }

  /** The next begins when this one has ended; what it did not commit is forgotten. */
  runAlone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#busy.then(work).catch((error: unknown) => {
      if (error instanceof HeadMismatch) this.#damage = error
      this.#tree?.forget()
      this.#ends?.forget()
      throw error
    })
    this.#busy = done.catch(() => {})
    return done
  }

  /** Before the tree grows: what stands there must be what was signed. */
  async assertHeld(session: DatabaseSession): Promise<void> {
    const head = await this.#catchUp(session)
    if (this.#grown.size === 0 && head === null) return
    const keeper = this.#keeper
    if (keeper === undefined && head !== null) throw createUnsignedError('postgres')
    if (keeper === undefined) return
    const tree = toHeadedTree(this.#grown, await this.loadEnds(session))
    if (keeper.findHeadProblem(head, tree) === undefined) return
    // Keys are added while others run: it fails only before somebody who knows them all.
    await keeper.learn()
    const problem = keeper.findHeadProblem(head, tree)
    if (problem === undefined) return
    this.#tree = undefined
    this.#ends = undefined
    throw new HeadMismatch(problem)
  }

  /** Where trajectories end, of the tree as it was last caught up. */
  async loadEnds(session: DatabaseSession): Promise<TrajectoryEnds> {
    this.#ends ??= await this.#readEnds(session)
    return this.#ends
  }

  async #readEnds(session: DatabaseSession): Promise<TrajectoryEnds> {
    return new TrajectoryEnds(await listEnds(this.tenant, session), this.#grown.size, this.sha256)
  }

  /** Of the tree as it is now. */
  readEnd(trajectory: string, readers: Readers): Promise<End | null> {
    return this.runAlone(() =>
      readers.read((session) =>
        this.#readInSnapshot(session, async () => {
          await this.assertHeld(session)
          return (await this.loadEnds(session)).findEnd(trajectory)
        }),
      ),
    )
  }

  /** Whether one of these is a leaf from `from` on, or shortly before it; read from what the head vouches for. */
  async hasAny(ids: readonly Address[], from: number, session: DatabaseSession): Promise<boolean> {
    const whole = Math.floor(from / TILE_LEAVES)
    const tiles = await listTiles(0, whole, this.tenant, session)
    const leaves = await listIds(tiles.length * TILE_LEAVES, EVERY, this.tenant, session)
    const { root } = GrowingTree.read(tiles, () => leaves, this.sha256).current
    if (!isEqualBytes(root, this.#grown.current.root))
      throw new HeadMismatch('the leaves are not those of the tree')
    const placed = new Set(leaves)
    return ids.some((id) => placed.has(id))
  }

  /** Places these behind all others: the statements that write it, to be sent before the commit. */
  grow(ids: readonly Address[], session: DatabaseSession): Promise<unknown>[] {
    const tree = this.#grown
    tree.add(ids)
    const written = [putTiles(tree.whole, this.tenant, session)]
    if (this.#keeper !== undefined && tree.size > 0) {
      this.#signed = this.#keeper.sign(toHeadedTree(tree, this.#ends))
      written.push(putTreeHead(this.#signed, this.tenant, session))
    }
    return written
  }

  settle(): void {
    this.#grown.settle()
    this.#ends?.settle()
    this.hear(this.#grown.size)
    if (this.#signed !== null) this.#keeper?.keep(this.#signed)
  }

  get #grown(): GrowingTree {
    if (this.#tree === undefined) throw new Error('the tree is read before it is used')
    return this.#tree
  }

  async #readInSnapshot<T>(session: DatabaseSession, read: () => Promise<T>): Promise<T> {
    const began = session.runScript('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const [answer] = await awaitAll([read(), began])
    await session.runScript('COMMIT')
    return answer
  }

  /** What was known of it counts no longer. */
  async #readLeaves(session: DatabaseSession): Promise<void> {
    const ids = await listIds(0, EVERY, this.tenant, session)
    this.#tree = GrowingTree.read([], () => ids, this.sha256)
    this.#ends = undefined
    this.#reached = 0
    this.own.clear()
  }

  /** Takes up what others placed, tiles and all; returns the head that stands there. */
  async #catchUp(session: DatabaseSession): Promise<string | null> {
    const [head] = await awaitAll([readTreeHead(this.tenant, session), this.#follow(session)])
    this.hear(this.#grown.size)
    return head
  }

  async #follow(session: DatabaseSession): Promise<void> {
    const { tenant, sha256 } = this
    if (this.#tree === undefined) {
      const tiles = await listTiles(0, EVERY, tenant, session)
      const ids = await listIds(tiles.length * TILE_LEAVES, EVERY, tenant, session)
      this.#tree = GrowingTree.read(tiles, () => ids, sha256)
      return
    }
    const ids = await this.#listNew(this.#tree.size, session)
    for (const id of ids) this.own.markPlaced(id)
    this.#tree.add(ids)
    this.#tree.settle()
    this.#ends?.settle()
  }

  async #listNew(from: number, session: DatabaseSession): Promise<readonly Address[]> {
    const ends = this.#ends
    if (ends === undefined) return listIds(from, EVERY, this.tenant, session)
    const entries = await listEnvelopes(from, this.tenant, session)
    for (const entry of entries) ends.add(entry)
    return entries.map(({ id }) => id)
  }
}

/** Where authority ends is known once the ends of trajectories are. */
function toHeadedTree({ current }: GrowingTree, ends: TrajectoryEnds | undefined): HeadedTree {
  return { ...current, authority: ends?.findEnd(AUTHORITY)?.seq ?? -1 }
}
