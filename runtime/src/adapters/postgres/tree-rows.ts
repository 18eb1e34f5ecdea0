/** The rows of the tree: leaves, tiles, the signed head, and where trajectories end in it. */
import type { Address } from 'rubicon-kernel'
import { HeadMismatch } from '../../ports/head-mismatch.ts'
import type { StoredEntry } from '../../ports/store.ts'
import type { Tile } from '../unit/growing-tree.ts'
import { type Column, createColumn, encodeColumnArrays, putStatement } from './bulk.ts'
import { ID_COLUMNS, parseBytes, parseEntry, parseId, parseNumber, parseText } from './rows.ts'
import type { DatabaseSession, NamedStatement } from './session.ts'
import type { End } from './trajectory-ends.ts'

/** Bound by what a statement may return, not by how far the tree goes. */
export const EVERY = 2_147_483_647

export async function listIds(
  from: number,
  limit: number,
  tenant: string,
  session: DatabaseSession,
): Promise<Address[]> {
  return (await session.run(IDS, tenant, from, limit)).map(parseId)
}

/** The leaves from `from` on, without their payloads. */
export async function listEnvelopes(
  from: number,
  tenant: string,
  session: DatabaseSession,
): Promise<Pick<StoredEntry, 'id' | 'envelope'>[]> {
  return (await session.run(ENVELOPES, tenant, from)).map(parseEntry)
}

/** As far as they follow one another: a hash that stands behind a gap is none of the next run. */
export async function listTiles(
  from: number,
  limit: number,
  tenant: string,
  session: DatabaseSession,
): Promise<Uint8Array[]> {
  const tiles: Uint8Array[] = []
  for (const row of await session.run(LIST_TILES, tenant, from, limit)) {
    const hash = parseBytes(row, 'hash')
    if (hash === undefined || parseNumber(row, 'number') !== from + tiles.length) break
    tiles.push(hash)
  }
  return tiles
}

/** The last entry of each trajectory that has a place. */
export async function listEnds(
  tenant: string,
  session: DatabaseSession,
): Promise<ReadonlyMap<string, End>> {
  const rows = await session.run(ENDS, tenant)
  return new Map(
    rows.map((row) => {
      const trajectory = parseText(row, 'trajectory')
      if (row.leaf === null)
        throw new HeadMismatch(`what \`${trajectory}\` is said to end with has no place`)
      return [trajectory, { seq: parseNumber(row, 'seq') ?? 0, id: parseId(row) }]
    }),
  )
}

export async function readTreeHead(
  tenant: string,
  session: DatabaseSession,
): Promise<string | null> {
  const [row] = await session.run(TREE_HEAD, tenant)
  return row === undefined ? null : parseText(row, 'head')
}

export function putTiles(
  tiles: readonly Tile[],
  tenant: string,
  session: DatabaseSession,
): Promise<unknown> {
  return session.run(PUT_TILES, tenant, ...encodeColumnArrays(TILES, tiles))
}

export function putTreeHead(
  head: string,
  tenant: string,
  session: DatabaseSession,
): Promise<unknown> {
  return session.run(PUT_TREE_HEAD, tenant, head)
}

const TILES: readonly Column<Tile>[] = [
  createColumn('number', 'bigint', ({ index }) => index),
  createColumn('hash', 'bytea', ({ hash }) => hash),
]
const PUT_TILES = putStatement('tiles', ['number'], TILES)

const IDS: NamedStatement = {
  name: 'leaf_ids',
  text: `SELECT e.id FROM (SELECT leaf, row FROM leaves
      WHERE tenant = $1 AND leaf >= $2 ORDER BY leaf LIMIT $3) AS l
    CROSS JOIN LATERAL (SELECT id FROM entries WHERE entries.row = l.row OFFSET 0) AS e
    ORDER BY l.leaf`,
}
const ENVELOPES: NamedStatement = {
  name: 'leaf_envelopes',
  text: `SELECT e.* FROM (SELECT leaf, row FROM leaves
      WHERE tenant = $1 AND leaf >= $2 ORDER BY leaf) AS l
    CROSS JOIN LATERAL (
      SELECT ${ID_COLUMNS} FROM entries WHERE entries.row = l.row OFFSET 0) AS e
    ORDER BY l.leaf`,
}
const ENDS: NamedStatement = {
  name: 'tree_ends',
  text: `SELECT p.trajectory, p.seq, e.id, l.leaf FROM placed AS p
    LEFT JOIN LATERAL (SELECT id, row FROM entries AS e WHERE e.tenant = p.tenant
      AND e.trajectory = p.trajectory AND e.seq = p.seq OFFSET 0) AS e ON true
    LEFT JOIN LATERAL (SELECT leaf FROM leaves WHERE leaves.row = e.row OFFSET 0) AS l ON true
    WHERE p.tenant = $1`,
}
const LIST_TILES: NamedStatement = {
  name: 'list_tiles',
  text: `SELECT number, hash FROM tiles
    WHERE tenant = $1 AND number >= $2 ORDER BY number LIMIT $3`,
}
const TREE_HEAD: NamedStatement = {
  name: 'tree_head',
  text: 'SELECT head FROM tree_heads WHERE tenant = $1',
}
const PUT_TREE_HEAD: NamedStatement = {
  name: 'put_tree_head',
  text: `INSERT INTO tree_heads (tenant, head) VALUES ($1, $2)
    ON CONFLICT (tenant) DO UPDATE SET head = EXCLUDED.head`,
}
