/**
 * The tree of the store and its rows: ids, tiles that are whole, and the signed head.
 *
 * Invariant: its owner reads it once and then keeps it; whoever reads beside him reads it again.
 */
import type { Address, Sha256 } from 'rubicon-kernel'
import { HeadMismatch } from '../../ports/head-mismatch.ts'
import type { HeadKeeper, StoredTree } from '../../ports/tree.ts'
import { GrowingTree } from '../unit/growing-tree.ts'
import { createUnsignedError } from '../unit/unsigned.ts'
import { parseBytes, parseId, parseNumber, parseText } from './rows.ts'
import type { Statements } from './statements.ts'

/** No limit, as SQLite has it. */
const EVERY = -1

export type TreePlace = {
  readonly tenant: string
  readonly path: string
  readonly sql: Statements
  readonly sha256: Sha256
  readonly mode: 'own' | 'read'
  /** The last seq of authority, as the transaction has it; -1 without any. */
  readonly authority: () => number
}

export class SqliteTree {
  readonly #place: TreePlace
  #tree: GrowingTree | undefined
  #keeper: HeadKeeper | undefined
  #signed: string | null = null

  constructor(place: TreePlace) {
    this.#place = place
  }

  get isEmpty(): boolean {
    return this.#getKeptTree().size === 0
  }

  read(): StoredTree {
    return {
      ...this.#getKeptTree().current,
      authority: this.#place.authority(),
      head: this.#readTreeHead(),
    }
  }

  add(ids: readonly Address[]): void {
    this.#getKeptTree().add(ids)
  }

  keepBy(keeper: HeadKeeper, from: 'kept' | 'leaves'): void {
    this.#keeper = keeper
    if (from === 'leaves') this.#tree = this.#readFrom([])
  }

  /**
   * Before an entry is written. A store that has a head is not extended where nobody signs; and where
   * others wrote an entry, it stands in the place of the next: nothing is written behind it.
   */
  assertNext(leaf: number | null): void {
    if (this.#keeper === undefined && this.#readTreeHead() !== null)
      throw createUnsignedError(this.#place.path)
    const { size } = this.#getKeptTree()
    if (leaf !== size) throw new HeadMismatch('an entry was written by somebody else', size)
  }

  /** In the transaction that added to it: what became whole, and the head. */
  write(): void {
    const { tenant, sql, authority } = this.#place
    const tree = this.#getKeptTree()
    for (const { index, hash } of tree.whole) sql.run(PUT_TILE, tenant, index, hash)
    if (this.#keeper === undefined) return
    this.#signed = this.#keeper.sign({ ...tree.current, authority: authority() })
    sql.run(PUT_TREE_HEAD, tenant, this.#signed)
  }

  writeGrown(): void {
    if (this.#getKeptTree().hasGrown) this.write()
  }

  settle(): void {
    this.#tree?.settle()
    if (this.#signed !== null) this.#keeper?.keep(this.#signed)
    this.#signed = null
  }

  forget(): void {
    this.#tree?.forget()
    this.#signed = null
  }

  #getKeptTree(): GrowingTree {
    const { tenant, sql, mode } = this.#place
    if (mode === 'read') return this.#readFrom(listTiles(0, EVERY, tenant, sql))
    this.#tree ??= this.#readFrom(listTiles(0, EVERY, tenant, sql))
    return this.#tree
  }

  #readFrom(tiles: readonly Uint8Array[]): GrowingTree {
    const { tenant, sql, sha256 } = this.#place
    return GrowingTree.read(tiles, (leaf) => listIds(leaf, EVERY, tenant, sql), sha256)
  }

  #readTreeHead(): string | null {
    const row = this.#place.sql.get(TREE_HEAD, this.#place.tenant)
    return row === undefined ? null : parseText(row, 'head')
  }
}

export function listIds(from: number, limit: number, tenant: string, sql: Statements): Address[] {
  return sql.listRows(IDS, tenant, from, limit).map(parseId)
}

/** As far as they follow one another: a hash that stands behind a gap is none of the next run. */
export function listTiles(
  from: number,
  limit: number,
  tenant: string,
  sql: Statements,
): Uint8Array[] {
  const tiles: Uint8Array[] = []
  for (const row of sql.iterate(TILES, tenant, from, limit)) {
    const hash = parseBytes(row, 'hash')
    if (hash === undefined || parseNumber(row, 'number') !== from + tiles.length) break
    tiles.push(hash)
  }
  return tiles
}

const IDS = 'SELECT id FROM entries WHERE tenant = ? AND leaf >= ? ORDER BY leaf LIMIT ?'
const TILES = `SELECT number, hash FROM tiles
  WHERE tenant = ? AND number >= ? ORDER BY number LIMIT ?`
const TREE_HEAD = 'SELECT head FROM tree_heads WHERE tenant = ?'
const PUT_TILE = 'INSERT OR REPLACE INTO tiles VALUES (?, ?, ?)'
const PUT_TREE_HEAD = 'INSERT OR REPLACE INTO tree_heads VALUES (?, ?)'
