/** Rows that a filter finds, a page at a time, in the order of the list. */
import type { DatabaseSync } from 'node:sqlite'
import { joinConditions, listConditions, type Sql } from './conditions.ts'
import { encodePlace, type Filter, type PlaceInList } from './filter.ts'
import { LISTS, type ListName } from './lists.ts'
import { readIndexPlace } from './read-place.ts'

type IndexRow = Readonly<Record<string, unknown>>

export type FoundRows = { readonly rows: readonly IndexRow[]; readonly next: string | null }

export function findRows(database: DatabaseSync, list: ListName, filter: Filter): FoundRows {
  const { table, key, sorts } = LISTS[list]
  const { limit, sort } = filter
  const column = sorts[sort.column] ?? key
  const { all, isFew, from = { text: table, values: [] } } = listConditions(database, list, filter)
  const where = joinConditions([...all, ...buildBeyond(list, filter)])
  const order = buildOrder(list, column, { ...sort, isFew })
  const text = `SELECT *, ${column} AS sorted, ${key} AS named FROM ${from.text} ${where.text} ORDER BY ${order} LIMIT ?`
  const rows = database.prepare(text).all(...from.values, ...where.values, limit + 1)
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  if (last === undefined) return { rows: shown, next: null }
  const { leaf } = readIndexPlace(database)
  return { rows: shown, next: encodePlace(toPlace(last, filter.measure ?? null, leaf)) }
}

/** Rows without a value come last, whichever way. Few rows are sorted: an index that has their order has all others as well. */
function buildOrder(
  list: ListName,
  column: string,
  { descending, isFew }: { readonly descending: boolean; readonly isFew: boolean },
): string {
  const { key, keys } = LISTS[list]
  const way = descending ? 'DESC' : 'ASC'
  const no = isFew ? '+' : ''
  const byKey = keys.map((one) => `${no}${one} ${way}`)
  return [...(column === key ? [] : [`${no}${column} ${way} NULLS LAST`]), ...byKey].join(', ')
}

function toPlace({ sorted, named }: IndexRow, measure: string | null, leaf: number): PlaceInList {
  return {
    measure,
    leaf,
    value: typeof sorted === 'string' || typeof sorted === 'number' ? sorted : null,
    key: typeof named === 'number' ? named : String(named),
  }
}

/** Past the last row of the page before. */
function buildBeyond(list: ListName, { sort, beyond }: Filter): readonly Sql[] {
  if (beyond === undefined) return []
  const { key, keys, sorts } = LISTS[list]
  const column = sorts[sort.column] ?? key
  const past = sort.descending ? '<' : '>'
  const { value } = beyond
  const names = splitKey(beyond.key, keys.length)
  const pastKey = `(${keys.join(', ')}) ${past} (${keys.map(() => '?').join(', ')})`
  if (column === key) return [{ text: pastKey, values: names }]
  if (value === null) return [{ text: `(${column} IS NULL AND ${pastKey})`, values: names }]
  const text = `(${column} ${past} ? OR (${column} = ? AND ${pastKey}) OR ${column} IS NULL)`
  return [{ text, values: [value, value, ...names] }]
}

/** That of an effect is its flow and its step: the first has no colon in it. */
function splitKey(key: string | number, parts: number): readonly (string | number)[] {
  if (typeof key === 'number' || parts === 1) return [key]
  const at = key.indexOf(':')
  return at < 0 ? [key, ''] : [key.slice(0, at), key.slice(at + 1)]
}

/** The measures that amounts have. `own`: an agent hears of those of its own flows. */
export function listMeasures(database: DatabaseSync, own: string | null): readonly string[] {
  const sql = `WITH RECURSIVE found (name) AS (SELECT min(measure) FROM decision
    UNION ALL SELECT (SELECT min(measure) FROM decision WHERE measure > name) FROM found WHERE name IS NOT NULL)
    SELECT name FROM found WHERE name IS NOT NULL`
  const ofOwn =
    'SELECT DISTINCT measure AS name FROM decision WHERE agent = ? AND measure IS NOT NULL'
  const rows = own === null ? database.prepare(sql).all() : database.prepare(ofOwn).all(own)
  return rows.map(({ name }) => String(name))
}

/** What the index knows of these flows, by dfid. */
export function readFlowFacts(
  database: DatabaseSync,
  dfids: readonly string[],
): ReadonlyMap<string, IndexRow> {
  const sql = `SELECT dfid, kind, object, amount, measure, outcome, reason FROM json_each(?) AS asked
    CROSS JOIN flow ON flow.dfid = asked.value`
  const rows = database.prepare(sql).all(JSON.stringify(dfids))
  return new Map(rows.map((row) => [String(row.dfid), row]))
}

/** What the index knows of these effects, by flow and step. */
export function readEffectFacts(
  database: DatabaseSync,
  effects: readonly { readonly dfid: string; readonly step_id: string }[],
): (effect: { readonly dfid: string; readonly step_id: string }) => IndexRow {
  const sql = `SELECT dfid, step_id, object, amount, measure FROM json_each(?) AS asked
    CROSS JOIN execution ON dfid = asked.value ->> 0 AND step_id = asked.value ->> 1`
  const asked = effects.map(({ dfid, step_id }) => [dfid, step_id])
  const rows = database.prepare(sql).all(JSON.stringify(asked))
  const toKey = (dfid: unknown, step: unknown): string => `${dfid}:${step}`
  const found = new Map(rows.map((row) => [toKey(row.dfid, row.step_id), row]))
  return ({ dfid, step_id }) => found.get(toKey(dfid, step_id)) ?? {}
}
