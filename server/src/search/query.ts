/**
 * A filter as SQL. Every value is bound; names of tables and columns come from `lists.ts`.
 *
 * Q1 a flow has an outcome, a reason, a kind or an amount where one of its verdicts has all of them that are asked for.
 *    With an outcome or a reason, `since` and `until` are about that verdict, and not about the opening of the flow:
 *    so a figure of the overview is the number of flows in the list behind it.
 */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { mintDfid } from 'rubicon-kernel'
import { buildAskedCondition, collectAsked } from './asked-words.ts'
import { encodePlace, type Filter, type PlaceInList } from './filter.ts'
import { OUTCOMES } from './fold-entry.ts'
import { LISTS, type ListName } from './lists.ts'
import { readIndexPlace } from './read-place.ts'

type Sql = { readonly text: string; readonly values: readonly SQLInputValue[] }
type IndexRow = Readonly<Record<string, unknown>>

export type FoundRows = { readonly rows: readonly IndexRow[]; readonly next: string | null }

export type FilterCounts = {
  readonly total: number
  readonly by: Readonly<Record<string, number>>
  /** Every row was counted; otherwise a figure of `COUNTED` means as many or more. */
  readonly exact: boolean
}

/** Rows that are counted: more of them would keep the list waiting. */
export const COUNTED = 10_000
/** Verdicts that are collected before the page is read; of more the list is walked until the page is full. */
const COLLECTED = 20_000

export function findRows(database: DatabaseSync, list: ListName, filter: Filter): FoundRows {
  const { table, key, sorts } = LISTS[list]
  const { limit, sort } = filter
  const column = sorts[sort.column] ?? key
  const where = joinConditions([
    ...listConditions(database, list, filter),
    ...buildBeyond(list, filter),
  ])
  const way = sort.descending ? 'DESC' : 'ASC'
  const nulls = NEVER_NULL.has(column) ? '' : `${column} IS NULL, `
  const order = column === key ? `${key} ${way}` : `${nulls}${column} ${way}, ${key} ${way}`
  const text = `SELECT *, ${column} AS sorted, ${key} AS named FROM ${table} ${where.text} ORDER BY ${order} LIMIT ?`
  const rows = database.prepare(text).all(...where.values, limit + 1)
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  if (last === undefined) return { rows: shown, next: null }
  const { leaf } = readIndexPlace(database)
  return { rows: shown, next: encodePlace(toPlace(last, filter.measure ?? null, leaf)) }
}

/** Without nulls an index has the order of the list. */
const NEVER_NULL: ReadonlySet<string> = new Set([
  'updated_at',
  'agent',
  'state',
  'at',
  'expires_at',
])

function toPlace({ sorted, named }: IndexRow, measure: string | null, leaf: number): PlaceInList {
  return {
    measure,
    leaf,
    value: typeof sorted === 'string' || typeof sorted === 'number' ? sorted : null,
    key: typeof named === 'number' ? named : String(named),
  }
}

/** Within all of the filter; `by` without what it is counted by. */
export function countRows(database: DatabaseSync, list: ListName, filter: Filter): FilterCounts {
  const { counted } = LISTS[list]
  const total = countUpTo(database, list, filter)
  const by =
    counted === null
      ? countOutcomes(database, list, filter)
      : countColumn(database, list, filter, counted)
  return { total, by, exact: total < COUNTED && Object.values(by).every((n) => n < COUNTED) }
}

function countUpTo(database: DatabaseSync, list: ListName, filter: Filter): number {
  const { text, values } = joinConditions(listConditions(database, list, filter))
  const rows = `SELECT 1 FROM ${LISTS[list].table} ${text} LIMIT ${COUNTED}`
  return Number(database.prepare(`SELECT count(*) AS n FROM (${rows})`).get(...values)?.n ?? 0)
}

function countColumn(
  database: DatabaseSync,
  list: ListName,
  filter: Filter,
  column: string,
): Readonly<Record<string, number>> {
  const { [column]: _, ...columns } = filter.columns
  const where = joinConditions(listConditions(database, list, { ...filter, columns }))
  const text = `SELECT ${column} AS name, count(*) AS n FROM ${LISTS[list].table} ${where.text} GROUP BY 1`
  return toCounts(database.prepare(text).all(...where.values))
}

/** How many rows there would be with each outcome in the filter. */
function countOutcomes(
  database: DatabaseSync,
  list: ListName,
  filter: Filter,
): Readonly<Record<string, number>> {
  return Object.fromEntries(
    OUTCOMES.map((outcome) => [outcome, countUpTo(database, list, { ...filter, outcome })]),
  )
}

function toCounts(rows: readonly IndexRow[]): Readonly<Record<string, number>> {
  return Object.fromEntries(rows.map(({ name, n }) => [String(name), Math.min(COUNTED, Number(n))]))
}

function listConditions(database: DatabaseSync, list: ListName, filter: Filter): readonly Sql[] {
  const hasVerdict =
    list === 'flows' && (filter.outcome !== undefined || filter.reason !== undefined)
  return [
    ...listOwnConditions(database, list, filter, hasVerdict),
    ...buildVerdictCondition(database, list, filter, hasVerdict),
  ]
}

/** What the row itself says. `isTimed`: the times are those of a verdict. */
function listOwnConditions(
  database: DatabaseSync,
  list: ListName,
  filter: Filter,
  isTimed: boolean,
): readonly Sql[] {
  const { time, words } = LISTS[list]
  const { since, until, agent, kind, reason, measure, amount_min, amount_max, tag } = filter
  const isOfVerdicts = list === 'flows'
  const hasAmounts = list === 'executions' || list === 'escalations'
  return [
    ...Object.entries(filter.columns).map(([name, wanted]) => buildAnyOf(name, wanted)),
    ...compare('agent', '=', agent),
    ...(isTimed
      ? []
      : [
          ...compare(time, '>=', toBound(list, since)),
          ...compare(time, '<', toBound(list, until)),
        ]),
    ...(isOfVerdicts ? [] : [...compare('kind', '=', kind), ...compare('reason', '=', reason)]),
    ...(hasAmounts ? compareAmounts(measure, amount_min, amount_max) : []),
    ...(tag === undefined ? [] : [buildTag(list, tag)]),
    ...buildWords(database, words, filter.words),
  ]
}

/** The first dfid that could be minted at that moment. */
function toBound(list: ListName, moment: number | undefined): SQLInputValue | undefined {
  if (moment === undefined || list !== 'flows') return moment
  return mintDfid(moment, new Uint8Array(10))
}

function compareAmounts(
  measure: string | undefined,
  least: number | undefined,
  most: number | undefined,
): readonly Sql[] {
  return [
    ...compare('measure', '=', measure),
    ...compare('amount', '>=', least),
    ...compare('amount', '<=', most),
  ]
}

/** What one verdict of a flow, or that of an entry, says. */
function listVerdictConditions(
  filter: Omit<Filter, 'outcome'> & Pick<Filter, 'outcome'>,
  isTimed: boolean,
): readonly Sql[] {
  const { outcome, kind, reason, measure, amount_min, amount_max, since, until } = filter
  return [
    ...buildOutcome(outcome),
    ...(isTimed
      ? [
          ...compare('kind', '=', kind),
          ...compare('reason', '=', reason),
          ...compare('at', '>=', since),
          ...compare('at', '<', until),
        ]
      : []),
    ...compareAmounts(measure, amount_min, amount_max),
  ]
}

function buildOutcome(outcome: Filter['outcome']): readonly Sql[] {
  if (outcome === 'decided') return [{ text: "outcome <> 'ended'", values: [] }]
  return compare('outcome', '=', outcome)
}

/** Few verdicts are collected, and their flows sorted; where many fit, the list is walked and each row asked. */
function buildVerdictCondition(
  database: DatabaseSync,
  list: ListName,
  filter: Filter,
  isTimed: boolean,
): readonly Sql[] {
  if (list !== 'flows' && list !== 'entries') return []
  const { since: _, until: __, ...untimed } = filter
  const conditions = listVerdictConditions(isTimed ? filter : untimed, list === 'flows')
  if (conditions.length === 0) return []
  const { text, values } = joinConditions(conditions)
  const isFlows = list === 'flows'
  const [name, of] = isFlows ? ['flow.id', 'flow'] : ['entry.leaf', 'leaf']
  const some = `SELECT 1 FROM decision ${text} LIMIT ${COLLECTED}`
  const fitting = database.prepare(`SELECT count(*) AS n FROM (${some})`).get(...values)?.n
  if (Number(fitting) < COLLECTED)
    return [{ text: `${name} IN (SELECT ${of} FROM decision ${text})`, values }]
  const through = isFlows ? 'INDEXED BY decision_flow' : 'NOT INDEXED'
  const one = `SELECT 1 FROM decision ${through} ${text} AND decision.${of} = ${name}`
  return [{ text: `EXISTS (${one})`, values }]
}

function buildTag(list: ListName, tag: string): Sql {
  const hasTag = 'instr(tags, ?) > 0'
  const text = list === 'flows' ? hasTag : `flow IN (SELECT id FROM flow WHERE ${hasTag})`
  return { text, values: [`,${tag},`] }
}

function buildWords(
  database: DatabaseSync,
  column: string,
  words: readonly string[],
): readonly Sql[] {
  if (words.length === 0) return []
  return [{ text: buildAskedCondition(column, collectAsked(database, words)), values: [] }]
}

/** Rows without a value come last, whichever way. */
function buildBeyond(list: ListName, { sort, beyond }: Filter): readonly Sql[] {
  if (beyond === undefined) return []
  const { key, sorts } = LISTS[list]
  const column = sorts[sort.column] ?? key
  const past = sort.descending ? '<' : '>'
  const { value } = beyond
  if (column === key) return [{ text: `${key} ${past} ?`, values: [beyond.key] }]
  if (value === null)
    return [{ text: `(${column} IS NULL AND ${key} ${past} ?)`, values: [beyond.key] }]
  const text = `(${column} ${past} ? OR (${column} = ? AND ${key} ${past} ?) OR ${column} IS NULL)`
  return [{ text, values: [value, value, beyond.key] }]
}

function compare(column: string, sign: string, value: SQLInputValue | undefined): readonly Sql[] {
  return value === undefined ? [] : [{ text: `${column} ${sign} ?`, values: [value] }]
}

function buildAnyOf(column: string, wanted: readonly string[]): Sql {
  return { text: `${column} IN (${wanted.map(() => '?').join(', ')})`, values: wanted }
}

function joinConditions(conditions: readonly Sql[]): Sql {
  if (conditions.length === 0) return { text: '', values: [] }
  return {
    text: `WHERE ${conditions.map(({ text }) => text).join(' AND ')}`,
    values: conditions.flatMap(({ values }) => values),
  }
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
