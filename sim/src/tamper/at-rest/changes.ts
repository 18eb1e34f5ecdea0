/**
 * What somebody who holds the database can do to a row, one change a case: another value, the value of
 * another row, the row as it was earlier, no row, one row more. What stands in the ledger is besides
 * rewritten as thoroughly as the format allows, with hashes that fit. Some changes are of several rows that
 * agree: a flow as it was earlier, with nothing of what was written since; authority without its last word.
 */
import {
  addressOfText,
  canonicalText,
  type Envelope,
  entryId,
  leafHash,
  leafInput,
  payloadHash,
  TILE_LEAVES,
  treeRoot,
} from 'rubicon-kernel'
import { sha256 } from '../../../../runtime/src/adapters/system/sha256.ts'
import { parseEntry } from '../../../../runtime/src/adapters/unit/parse-row.ts'
import type { Rng } from '../../rng.ts'
import { type Holder, isSame, KEYS, putRow, type Row, type Value, whereIs } from './holder.ts'

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
  if (how === 'act') return leaveTrigger(holder)
  const rows = await rowsOf(target, holder)
  if (rows.length === 0) return null
  const row = rng.pick(rows)
  const { table } = target
  const named = `${table} ${keyOf(table, row)}`
  if (how === 'delete') {
    await holder.run(`DELETE FROM ${table} WHERE ${whereIs(table, row, holder)}`)
    return `${named} deleted`
  }
  if (how === 'insert') return insertCopy(target, row, holder, rng)
  if (how === 'older') return putBack(target, rows, holder, earlier, rng)
  if (column === undefined || !(column in row)) return null
  const was = row[column] ?? null
  const others = rows.map((other) => other[column] ?? null).filter((other) => !isSame(other, was))
  if (how === 'swap' && others.length === 0) return null
  const now = how === 'swap' ? rng.pick(others) : was === null ? filled(column) : nudged(was, rng)
  if (isSame(now, was)) return null
  await holder.run(
    `UPDATE ${table} SET ${column} = ${holder.literal(now)} WHERE ${whereIs(table, row, holder)}`,
  )
  return `${named}: ${column} ${shown(was)} → ${shown(now)}`
}

async function rowsOf({ table, where }: Target, holder: Holder): Promise<readonly Row[]> {
  const order = (KEYS[table] ?? []).join(', ')
  return holder.rows(
    `SELECT * FROM ${table}${where === undefined ? '' : ` WHERE ${where}`} ORDER BY ${order}`,
  )
}

function keyOf(table: string, row: Row): string {
  return (KEYS[table] ?? []).map((key) => shown(row[key] ?? null)).join(' ')
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
  const moved = typeof value === 'number' ? value + 1000 : nudged(value, rng)
  await putRow(table, { ...rest, [last]: moved }, holder)
  return `${table} ${keyOf(table, row)} copied to ${last} ${shown(moved)}`
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
  const before = new Map((earlier.get(table) ?? []).map((row) => [keyOf(table, row), row]))
  const moved = rows.filter((row) => {
    const old = before.get(keyOf(table, row))
    return old !== undefined && Object.keys(row).some((name) => !isSame(old[name], row[name]))
  })
  if (moved.length === 0) return null
  const row = rng.pick(moved)
  const old = before.get(keyOf(table, row))
  if (old === undefined) return null
  const changed = Object.keys(row).filter((name) => !isSame(old[name], row[name]))
  const set = changed.map((name) => `${name} = ${holder.literal(old[name] ?? null)}`).join(', ')
  await holder.run(`UPDATE ${table} SET ${set} WHERE ${whereIs(table, row, holder)}`)
  return `${table} ${keyOf(table, row)} as it was earlier`
}

const WORDS: Readonly<Record<string, string>> = {
  ACTIVE: 'CLOSED',
  ESCALATED: 'ACTIVE',
  EXECUTING: 'ACTIVE',
  CLOSED: 'ACTIVE',
  ABORTED: 'ACTIVE',
  SUCCESS: 'FAILED',
  FAILED: 'SUCCESS',
  UNKNOWN: 'FAILED',
  DISPATCHED: 'FAILED',
  ACCEPTED: 'FAILED',
  one: 'many',
  many: 'one',
  running: 'closed',
  waiting: 'closed',
  null: '"x"',
  '[]': '["DIRTY"]',
}

/** In place of nothing. */
function filled(column: string): Value {
  return column.endsWith('seq') ? 0 : '2030-01-01T00:00:00.000Z'
}

/** Another value of the same kind, as plausible as can be. */
function nudged(value: Value, rng: Rng): Value {
  if (value === null) return filled('')
  if (typeof value === 'boolean') return !value
  if (typeof value === 'bigint') return value + 1n
  if (typeof value === 'number') return value > 0 && rng.chance(0.5) ? value - 1 : value + 1
  if (value instanceof Uint8Array) {
    const bytes = Uint8Array.from(value)
    const at = rng.below(bytes.length)
    bytes[at] = (bytes[at] ?? 0) ^ 1
    return bytes
  }
  const word = WORDS[value]
  if (word !== undefined) return word
  if (value.startsWith('{') || value.startsWith('[')) return nudgedJson(value, rng)
  return nudgedText(value, rng)
}

/** A digit becomes another, or a letter does. */
function nudgedText(text: string, rng: Rng): string {
  const places = [...text.matchAll(/[0-9]/g)].map(({ index }) => index)
  if (places.length === 0) return `${text}x`
  const at = rng.pick(places)
  return `${text.slice(0, at)}${(Number(text[at]) + 1) % 10}${text.slice(at + 1)}`
}

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

function nudgedJson(text: string, rng: Rng): string {
  const value = JSON.parse(text) as Json
  const leaves: ((change: (leaf: Json) => Json) => void)[] = []
  const walk = (node: Json): void => {
    if (typeof node !== 'object' || node === null) return
    for (const [name, leaf] of Object.entries(node)) {
      const holder = node as Record<string, Json>
      if (typeof leaf === 'object' && leaf !== null) walk(leaf)
      else
        leaves.push((change) => {
          holder[name] = change(leaf)
        })
    }
  }
  walk(value)
  if (leaves.length === 0) return Array.isArray(value) ? '["x"]' : '{"x":1}'
  rng.pick(leaves)((leaf) => {
    if (leaf === null) return 'x'
    if (typeof leaf === 'boolean') return !leaf
    if (typeof leaf === 'number') return leaf + 1
    return WORDS[String(leaf)] ?? nudgedText(String(leaf), rng)
  })
  return JSON.stringify(value)
}

/** Ids, parents, tiles and heads that fit: only what is signed gives it away. */
async function rewriteLedger(holder: Holder, rng: Rng): Promise<string | null> {
  const all = await holder.rows('SELECT * FROM entries ORDER BY row')
  const from = rng.pick(all.filter(({ payload }) => typeof payload === 'string'))
  const ids = new Map<string, string>()
  for (const row of all) {
    const { id, envelope, payload } = parseEntry({ leaf: null, ...row })
    const changed = row === from ? changedPayload(payload ?? '{}', rng) : payload
    const parent = envelope.parent === null ? null : (ids.get(envelope.parent) ?? envelope.parent)
    const moved: Envelope = {
      ...envelope,
      parent: parent as Envelope['parent'],
      payload_hash: changed === null ? envelope.payload_hash : payloadHash(changed, sha256),
    }
    const next = entryId(moved, sha256)
    if (next === id) continue
    ids.set(id, next)
    await holder.run(`UPDATE entries SET id = ${holder.literal(next)},
      parent = ${holder.literal(parent)}, payload_hash = ${holder.literal(moved.payload_hash)},
      payload = ${holder.literal(changed)} WHERE ${whereIs('entries', row, holder)}`)
    await holder.run(`UPDATE trajectories SET id = ${holder.literal(next)}
      WHERE id = ${holder.literal(id)}`)
  }
  await rewriteTiles(holder)
  return `entries from ${keyOf('entries', from)} on rewritten, ${ids.size} of them`
}

async function rewriteTiles(holder: Holder): Promise<void> {
  const columns = Object.keys((await holder.rows('SELECT * FROM entries LIMIT 1'))[0] ?? {})
  const inOrder = columns.includes('leaf')
    ? 'SELECT tenant, id FROM entries ORDER BY leaf'
    : 'SELECT e.tenant, e.id FROM leaves l JOIN entries e ON e.row = l.row ORDER BY l.leaf'
  const rows = await holder.rows(inOrder)
  for (let tile = 0; (tile + 1) * TILE_LEAVES <= rows.length; tile++) {
    const ids = rows.slice(tile * TILE_LEAVES, (tile + 1) * TILE_LEAVES)
    const leaves = ids.map(({ id }) => leafHash(leafInput(String(id) as never), sha256))
    await holder.run(`UPDATE tiles SET hash = ${holder.literal(treeRoot(leaves, sha256))}
      WHERE number = ${tile}`)
  }
}

function changedPayload(payload: string, rng: Rng): string {
  return canonicalText(JSON.parse(nudgedJson(payload, rng)))
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
  const text = changedSalt(payload ?? '{}')
  const { dfid: _, ...rest } = envelope
  const added = { ...rest, seq, parent: head.id as Envelope['parent'], kind: 'evidence' } as const
  const payload_hash = addressOfText('payload', text, sha256)
  const id = entryId({ ...added, payload_hash }, sha256)
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
      ...(leaf === undefined ? {} : { leaf: await nextLeaf(holder) }),
    },
    holder,
  )
  await holder.run(`UPDATE trajectories SET seq = ${seq}, id = ${holder.literal(id)}
    WHERE trajectory = 'main'`)
  return `an entry was appended to main at ${seq}`
}

async function nextLeaf(holder: Holder): Promise<number> {
  const [row] = await holder.rows('SELECT max(leaf) + 1 AS leaf FROM entries')
  return Number(row?.leaf ?? 0)
}

function changedSalt(payload: string): string {
  return canonicalText({ ...JSON.parse(payload), salt: 'somebody else' })
}

function shown(value: Value): string {
  const text = value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value)
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}

/** The rows of a flow as they were in the middle of the day; what was written since then is of no flow. */
async function hideFlow(holder: Holder, earlier: Earlier, rng: Rng): Promise<string | null> {
  const now = new Map((await holder.rows('SELECT * FROM flows')).map((row) => [row.dfid, row]))
  const moved = (earlier.get('flows') ?? []).filter(
    ({ dfid, state, steps, attempts }) =>
      state === 'ACTIVE' && steps === 'many' && now.get(dfid ?? null)?.attempts !== attempts,
  )
  if (moved.length === 0) return null
  const flow = rng.pick(moved)
  const dfid = holder.literal(flow.dfid ?? null)
  const since = (earlier.get('entries') ?? []).map(({ id }) => holder.literal(id ?? null))
  await holder.run(`UPDATE entries SET dfid = NULL WHERE dfid = ${dfid} AND id NOT IN (${since})`)
  const rows: readonly (readonly [string, string])[] = [
    ['flows', `dfid = ${dfid}`],
    ['executions', `dfid = ${dfid}`],
    ['counters', `substr(id, 1, 36) = ${dfid}`],
    ['records', `record IN ('lock', 'note') AND body LIKE '%${flow.dfid}%'`],
  ]
  for (const [table, where] of rows) {
    await holder.run(`DELETE FROM ${table} WHERE ${where}`)
    for (const { row: _, ...old } of earlier.get(table) ?? [])
      if (isOfFlow(table, old, String(flow.dfid))) await putRow(table, old, holder)
  }
  return `flow ${flow.dfid} as it was earlier, and nothing of what was written since`
}

function isOfFlow(table: string, row: Row, dfid: string): boolean {
  if (table === 'counters') return String(row.id).startsWith(dfid)
  if (table !== 'records') return row.dfid === dfid
  return ['lock', 'note'].includes(String(row.record)) && String(row.body).includes(dfid)
}

/** The last word of authority is one of another trajectory. */
async function hideAuthority(holder: Holder): Promise<string | null> {
  const [last, before] = await holder.rows(
    "SELECT * FROM entries WHERE trajectory = 'authority' ORDER BY seq DESC LIMIT 2",
  )
  if (last === undefined || before === undefined) return null
  const tables = Object.keys(last).includes('leaf') ? ['trajectories'] : ['trajectories', 'placed']
  await holder.run(`UPDATE entries SET trajectory = 'x' WHERE ${whereIs('entries', last, holder)}`)
  for (const table of tables)
    await holder.run(`UPDATE ${table} SET seq = ${before.seq} WHERE trajectory = 'authority'`)
  await holder.run(`UPDATE trajectories SET id = ${holder.literal(before.id ?? null)},
    at = ${holder.literal(before.at ?? null)} WHERE trajectory = 'authority'`)
  return `authority ends before its entry ${last.seq}`
}

/** The file itself takes back what is written. */
async function leaveTrigger(holder: Holder): Promise<string | null> {
  await holder.run(`CREATE TRIGGER forget AFTER INSERT ON executions
    BEGIN DELETE FROM executions WHERE dfid = NEW.dfid AND step_id = NEW.step_id; END`)
  return 'a trigger forgets claims'
}
