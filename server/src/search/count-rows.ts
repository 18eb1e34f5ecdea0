/** How many rows a filter has, and how many of them have each outcome, status or state. */
import type { DatabaseSync } from 'node:sqlite'
import { getAskedRows } from './asked-words.ts'
import {
  hasVerdict,
  joinConditions,
  listConditions,
  listRowConditions,
  listVerdictConditions,
} from './conditions.ts'
import type { Filter } from './filter.ts'
import { OUTCOMES, type Outcome } from './fold-entry.ts'
import { keepFound } from './found-flows.ts'
import { LISTS, type ListName } from './lists.ts'
import { parseNumbers } from './parse-numbers.ts'
import { countFlowRows, RowSet } from './row-set.ts'

export type FilterCounts = {
  readonly total: number
  readonly by: Readonly<Record<string, number>>
  /** Every row was counted; otherwise a figure of `COUNTED` means as many or more. */
  readonly exact: boolean
}

/** Figures end here: more of them would keep the list waiting. */
export const COUNTED = 10_000

type Counted = Omit<FilterCounts, 'exact'>

/** Within all of the filter; `by` without what it is counted by. */
export function countRows(database: DatabaseSync, list: ListName, filter: Filter): FilterCounts {
  const { counted } = LISTS[list]
  const { total, by } =
    counted !== null
      ? countColumn(database, list, filter, counted)
      : list === 'flows'
        ? countVerdictsOfFlows(database, filter)
        : countVerdictsOfRows(database, list, filter)
  return { total, by, exact: total < COUNTED && Object.values(by).every((n) => n < COUNTED) }
}

function countUpTo(database: DatabaseSync, list: ListName, filter: Filter): number {
  const { all, from = { text: LISTS[list].table, values: [] } } = listConditions(
    database,
    list,
    filter,
  )
  const { text, values } = joinConditions(all)
  const rows = `SELECT 1 FROM ${from.text} ${text} LIMIT ${COUNTED}`
  const counted = database.prepare(`SELECT count(*) AS n FROM (${rows})`)
  return Number(counted.get(...from.values, ...values)?.n ?? 0)
}

/** In one pass: those that are wanted are some of them. */
function countColumn(
  database: DatabaseSync,
  list: ListName,
  filter: Filter,
  column: string,
): Counted {
  const { [column]: wanted, ...columns } = filter.columns
  const where = joinConditions(listConditions(database, list, { ...filter, columns }).all)
  const text = `SELECT ${column} AS name, count(*) AS n FROM ${LISTS[list].table} ${where.text} GROUP BY 1`
  const found = database
    .prepare(text)
    .all(...where.values)
    .map(({ name, n }) => [String(name), Number(n)] as const)
  const total = found
    .filter(([name]) => wanted?.includes(name) ?? true)
    .reduce((sum, [, n]) => sum + n, 0)
  return { total: limit(total), by: Object.fromEntries(found.map(([name, n]) => [name, limit(n)])) }
}

/** Flows by the outcomes of those of their verdicts that fit: each verdict is read once, and each flow once. */
function countVerdictsOfFlows(database: DatabaseSync, filter: Filter): Counted {
  const { outcome, ...rest } = filter
  const { since, until } = filter
  const own = listRowIds(database, rest)
  const conditions = listVerdictConditions('flows', rest, true)
  const { text, values } = joinConditions(conditions)
  const code = `CASE outcome ${OUTCOMES.map((one, at) => `WHEN '${one}' THEN ${at}`).join(' ')} END`
  const sql = `SELECT json_group_array(flow * ${OUTCOMES.length} + ${code}) AS found FROM decision ${text}`
  const flows = new RowSet(countFlowRows(database))
  for (const one of parseNumbers(database.prepare(sql).get(...values)?.found)) {
    const [id, at] = [Math.floor(one / OUTCOMES.length), one % OUTCOMES.length]
    if (own === null || own.has(id)) flows.mark(id, 1 << at)
  }
  const by = Object.fromEntries(OUTCOMES.map((one, at) => [one, limit(flows.countMarked(1 << at))]))
  const marks = OUTCOMES.reduce((all, one, at) => all | (isOutcome(outcome, one) ? 1 << at : 0), 0)
  const isSpan = since !== undefined || until !== undefined
  const isOfVerdicts = conditions.length > 0 || outcome !== undefined
  if (hasVerdict('flows', filter) || (isOfVerdicts && !isSpan)) {
    const rows = flows.pickAny(marks)
    keepFound(database, filter, rows)
    return { total: limit(rows.count), by }
  }
  if (own !== null && !isOfVerdicts && !isSpan) return { total: limit(own.count), by }
  return { total: countUpTo(database, 'flows', filter), by }
}

/** What their rows and words leave of them; null: all. */
function listRowIds(database: DatabaseSync, filter: Filter): RowSet | null {
  const { words, ...rest } = filter
  const asked = words.length === 0 ? null : getAskedRows(database, words).pickFlows()
  const conditions = listRowConditions(database, 'flows', { ...rest, words: [] }, true)
  if (conditions.length === 0) return asked
  const { text, values } = joinConditions(conditions)
  const sql = `SELECT json_group_array(id) AS found FROM flow ${text}`
  const rows = new RowSet(countFlowRows(database))
  for (const id of parseNumbers(database.prepare(sql).get(...values)?.found))
    if (asked?.has(id) ?? true) rows.add(id)
  return rows
}

/** Entries, of which each has one verdict or none: those that are asked for by a verdict are some of those that have one. */
function countVerdictsOfRows(database: DatabaseSync, list: ListName, filter: Filter): Counted {
  const { outcome, ...rest } = filter
  const conditions = listVerdictConditions(list, rest, false)
  const verdict = joinConditions(conditions)
  const row = joinConditions(listRowConditions(database, list, rest, false))
  const verdicts = `(SELECT leaf AS place, outcome FROM decision ${verdict.text}) AS said`
  // Of one kind there are fewer entries than verdicts.
  const isFromRows = rest.kind !== undefined && conditions.length === 0
  const from = isFromRows ? `entry CROSS JOIN ${verdicts}` : `${verdicts} CROSS JOIN entry`
  const sql = `SELECT said.outcome AS name, count(*) AS n
    FROM ${from} ON entry.leaf = said.place ${row.text} GROUP BY 1`
  const found = new Map(
    database
      .prepare(sql)
      .all(...verdict.values, ...row.values)
      .map(({ name, n }) => [String(name), Number(n)]),
  )
  const by = Object.fromEntries(OUTCOMES.map((one) => [one, limit(found.get(one) ?? 0)]))
  if (conditions.length === 0 && outcome === undefined)
    return { total: countUpTo(database, list, filter), by }
  const total = OUTCOMES.filter((one) => isOutcome(outcome, one)).reduce(
    (sum, one) => sum + (found.get(one) ?? 0),
    0,
  )
  return { total: limit(total), by }
}

function isOutcome(asked: Filter['outcome'], one: Outcome): boolean {
  return asked === undefined || asked === one || (asked === 'decided' && one !== 'ended')
}

function limit(n: number): number {
  return Math.min(COUNTED, n)
}
