/**
 * What somebody who holds the database can do to a row, one change a case: another value, the value of
 * another row, the row as it was earlier, no row, one row more. What stands in the ledger is besides
 * rewritten as thoroughly as the format allows, with hashes that fit. Some changes are of several rows that
 * agree: a flow as it was earlier, with nothing of what was written since; authority without its last word.
 */
import {
  computeAddressOfText,
  computeEntryId,
  computeTreeRoot,
  type Envelope,
  hashLeaf,
  hashPayload,
  TILE_LEAVES,
  toCanonicalText,
  toLeafInput,
} from 'rubicon-kernel'
import { sha256 } from '../../../../runtime/src/adapters/system/sha256.ts'
import { parseEntry } from '../../../../runtime/src/adapters/unit/parse-row.ts'
import type { Rng } from '../../rng.ts'
import {
  addInventedArchive,
  endFlow,
  hideAuthority,
  hideFlow,
  leaveTrigger,
  reopenFlow,
} from './hidden.ts'
import { formatWhere, type Holder, isSame, KEYS, putRow, type Row, type Value } from './holder.ts'
import { changeJson, changeValue, fillValue } from './nudge.ts'

/** Rows that belong to one another, by what they are for. */
export type Target = {
  /** As the report counts it. */
  readonly name: string
  readonly table: string
  /** Which rows of the table; all, where it says nothing. */
  readonly where?: string
  /** Columns that can be changed. */
  readonly columns: readonly string[]
}

export type Change = {
  readonly target: Target
  readonly how:
    | 'nudge'
    | 'swap'
    | 'delete'
    | 'insert'
    | 'older'
    | 'rewrite'
    | 'append'
    | 'hide flow'
    | 'hide authority'
    | 'end flow'
    | 'reopen flow'
    | 'invent archive'
    | 'act'
  /** Of a nudge and a swap. */
  readonly column?: string
}

/** Rows as they were in the middle of the day, by table. */
export type Earlier = ReadonlyMap<string, readonly Row[]>

/** What was done, in words; null: there was nothing to do it to. */
export async function applyChange(
  { target, how, column }: Change,
  holder: Holder,
  earlier: Earlier,
  rng: Rng,
): Promise<string | null> {
  if (how === 'rewrite') return rewriteLedger(holder, rng)
  if (how === 'append') return appendEntry(holder)
  if (how === 'hide flow') return hideFlow(holder, earlier, rng)
  if (how === 'hide authority') return hideAuthority(holder)
  if (how === 'end flow') return endFlow(holder, rng)
  if (how === 'reopen flow') return reopenFlow(holder, rng)
  if (how === 'invent archive') return addInventedArchive(holder, rng)
  if (how === 'act') return leaveTrigger(holder)
  const rows = await readRows(target, holder)
  if (rows.length === 0) return null
  const row = rng.pick(rows)
  const { table } = target
  const named = `${table} ${formatKey(table, row)}`
  if (how === 'delete') {
    await holder.run(`DELETE FROM ${table} WHERE ${formatWhere(table, row, holder)}`)
    return `${named} deleted`
  }
  if (how === 'insert') return insertCopy(target, row, holder, rng)
  if (how === 'older') return putBack(target, rows, holder, earlier, rng)
  if (column === undefined || !(column in row)) return null
  const was = row[column] ?? null
  const others = rows.map((other) => other[column] ?? null).filter((other) => !isSame(other, was))
  if (how === 'swap' && others.length === 0) return null
  const now =
    how === 'swap' ? rng.pick(others) : was === null ? fillValue(column) : changeValue(was, rng)
  if (isSame(now, was)) return null
  await holder.run(
    `UPDATE ${table} SET ${column} = ${holder.literal(now)} WHERE ${formatWhere(table, row, holder)}`,
  )
  return `${named}: ${column} ${formatValue(was)} → ${formatValue(now)}`
}

async function readRows({ table, where }: Target, holder: Holder): Promise<readonly Row[]> {
  const order = (KEYS[table] ?? []).join(', ')
  return holder.rows(
    `SELECT * FROM ${table}${where === undefined ? '' : ` WHERE ${where}`} ORDER BY ${order}`,
  )
}

function formatKey(table: string, row: Row): string {
  return (KEYS[table] ?? []).map((key) => formatValue(row[key] ?? null)).join(' ')
}

async function insertCopy(
  { table }: Target,
  row: Row,
  holder: Holder,
  rng: Rng,
): Promise<string | null> {
  const keys = KEYS[table] ?? []
  const last = keys.at(-1) ?? ''
  const { row: _, ...rest } = row
  const value = row[last] ?? null
  const moved = typeof value === 'number' ? value + 1000 : changeValue(value, rng)
  await putRow(table, { ...rest, [last]: moved }, holder)
  return `${table} ${formatKey(table, row)} copied to ${last} ${formatValue(moved)}`
}

/** A row as it was in the middle of the day. */
async function putBack(
  target: Target,
  rows: readonly Row[],
  holder: Holder,
  earlier: Earlier,
  rng: Rng,
): Promise<string | null> {
  const { table } = target
  const before = new Map((earlier.get(table) ?? []).map((row) => [formatKey(table, row), row]))
  const moved = rows.filter((row) => {
    const old = before.get(formatKey(table, row))
    return old !== undefined && Object.keys(row).some((name) => !isSame(old[name], row[name]))
  })
  if (moved.length === 0) return null
  const row = rng.pick(moved)
  const old = before.get(formatKey(table, row))
  if (old === undefined) return null
  const changed = Object.keys(row).filter((name) => !isSame(old[name], row[name]))
  const set = changed.map((name) => `${name} = ${holder.literal(old[name] ?? null)}`).join(', ')
  await holder.run(`UPDATE ${table} SET ${set} WHERE ${formatWhere(table, row, holder)}`)
  return `${table} ${formatKey(table, row)} as it was earlier`
}

/** Ids, parents, tiles and heads that fit: only what is signed gives it away. */
async function rewriteLedger(holder: Holder, rng: Rng): Promise<string | null> {
  const all = await holder.rows('SELECT * FROM entries ORDER BY row')
  const from = rng.pick(all.filter(({ payload, packed }) => payload !== null || packed !== null))
  const ids = new Map<string, string>()
  for (const row of all) {
    const { id, envelope, payload } = parseEntry({ leaf: null, ...row })
    const changed = row === from ? changePayload(payload ?? '{}', rng) : payload
    const stored = row === from ? { payload: changed, packed: null } : row
    const parent = envelope.parent === null ? null : (ids.get(envelope.parent) ?? envelope.parent)
    const moved: Envelope = {
      ...envelope,
      parent: parent as Envelope['parent'],
      payload_hash: changed === null ? envelope.payload_hash : hashPayload(changed, sha256),
    }
    const next = computeEntryId(moved, sha256)
    if (next === id) continue
    ids.set(id, next)
    await holder.run(`UPDATE entries SET id = ${holder.literal(next)},
      parent = ${holder.literal(parent)}, payload_hash = ${holder.literal(moved.payload_hash)},
      payload = ${holder.literal(stored.payload ?? null)},
      packed = ${holder.literal(stored.packed ?? null)} WHERE ${formatWhere('entries', row, holder)}`)
    await holder.run(`UPDATE trajectories SET id = ${holder.literal(next)}
      WHERE id = ${holder.literal(id)}`)
  }
  await rewriteTiles(holder)
  return `entries from ${formatKey('entries', from)} on rewritten, ${ids.size} of them`
}

async function rewriteTiles(holder: Holder): Promise<void> {
  const columns = Object.keys((await holder.rows('SELECT * FROM entries LIMIT 1'))[0] ?? {})
  const inOrder = columns.includes('leaf')
    ? 'SELECT tenant, id FROM entries ORDER BY leaf'
    : 'SELECT e.tenant, e.id FROM leaves l JOIN entries e ON e.row = l.row ORDER BY l.leaf'
  const rows = await holder.rows(inOrder)
  for (let tile = 0; (tile + 1) * TILE_LEAVES <= rows.length; tile++) {
    const ids = rows.slice(tile * TILE_LEAVES, (tile + 1) * TILE_LEAVES)
    const leaves = ids.map(({ id }) => hashLeaf(toLeafInput(String(id) as never), sha256))
    await holder.run(`UPDATE tiles SET hash = ${holder.literal(computeTreeRoot(leaves, sha256))}
      WHERE number = ${tile}`)
  }
}

function changePayload(payload: string, rng: Rng): string {
  return toCanonicalText(JSON.parse(changeJson(payload, rng)))
}

/** One entry more, at the end, that fits everything before it. */
async function appendEntry(holder: Holder): Promise<string | null> {
  const [head] = await holder.rows("SELECT * FROM trajectories WHERE trajectory = 'main'")
  const [last] = await holder.rows(
    "SELECT * FROM entries WHERE trajectory = 'main' ORDER BY seq DESC LIMIT 1",
  )
  if (head === undefined || last === undefined) return null
  const { envelope, payload } = parseEntry({ leaf: null, ...last })
  const seq = Number(last.seq) + 1
  const text = changeSalt(payload ?? '{}')
  const { dfid: _, ...rest } = envelope
  const added = { ...rest, seq, parent: head.id as Envelope['parent'], kind: 'evidence' } as const
  const payload_hash = computeAddressOfText('payload', text, sha256)
  const id = computeEntryId({ ...added, payload_hash }, sha256)
  const { row: __, leaf, ...columns } = last
  await putRow(
    'entries',
    {
      ...columns,
      seq,
      id,
      parent: head.id ?? null,
      kind: 'evidence',
      dfid: null,
      authority_seq: null,
      payload_hash,
      payload: text,
      packed: null,
      ...(leaf === undefined ? {} : { leaf: await readNextLeaf(holder) }),
    },
    holder,
  )
  await holder.run(`UPDATE trajectories SET seq = ${seq}, id = ${holder.literal(id)}
    WHERE trajectory = 'main'`)
  return `an entry was appended to main at ${seq}`
}

async function readNextLeaf(holder: Holder): Promise<number> {
  const [row] = await holder.rows('SELECT max(leaf) + 1 AS leaf FROM entries')
  return Number(row?.leaf ?? 0)
}

function changeSalt(payload: string): string {
  return toCanonicalText({ ...JSON.parse(payload), salt: 'somebody else' })
}

function formatValue(value: Value): string {
  const text = value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value)
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}
