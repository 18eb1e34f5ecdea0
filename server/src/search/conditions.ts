/**
 * A filter as conditions of SQL. Every value is bound; names of tables and columns come from `lists.ts`.
 *
 * Q1 a flow has an outcome, a reason, a kind or an amount where one of its verdicts has all of them that are asked for.
 *    With an outcome or a reason, `since` and `until` are about that verdict, and not about the opening of the flow:
 *    so a figure of the overview is the number of flows in the list behind it.
 */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { mintDfid } from 'rubicon-kernel'
import { buildAskedCondition, collectAsked, FEW } from './asked-words.ts'
import type { Filter } from './filter.ts'
import { findKept } from './found-flows.ts'
import { LISTS, type ListName } from './lists.ts'

export type Sql = { readonly text: string; readonly values: readonly SQLInputValue[] }

export type Conditions = {
  readonly all: readonly Sql[]
  /** One of them names few rows: they are looked up, and sorted, whatever else an index could find. */
  readonly isFew: boolean
  /** Where the rows come from, if not from their table alone. */
  readonly from?: Sql
}

/** Verdicts that are collected before the page is read; of more the list is walked until the page is full. */
const COLLECTED = 20_000
/** Effects of a span that an index finds; of more, all are read: a row that it finds takes ten times as long. */
const TIMED = 10_000

export function listConditions(database: DatabaseSync, list: ListName, filter: Filter): Conditions {
  const kept = list === 'flows' ? findKept(database, filter) : null
  if (kept !== null) return { all: [kept], isFew: kept.isFew }
  const isTimed = hasVerdict(list, filter)
  const verdict = buildVerdictCondition(database, list, filter, isTimed)
  const words = buildWords(database, list, filter.words)
  const isFew = words.isFew || verdict.isFew
  const own = listOwnConditions(database, list, filter, { isTimed, isFew })
  const { from } = verdict
  const all = [...own, ...words.all, ...verdict.all]
  return { all, isFew, ...(from === undefined ? {} : { from }) }
}

/** A flow that was asked for by a verdict: the times are those of the verdict. */
export function hasVerdict(list: ListName, { outcome, reason }: Filter): boolean {
  return list === 'flows' && (outcome !== undefined || reason !== undefined)
}

/** What the row itself says, and its words. */
export function listRowConditions(
  database: DatabaseSync,
  list: ListName,
  filter: Filter,
  isTimed: boolean,
): readonly Sql[] {
  const { all, isFew } = buildWords(database, list, filter.words)
  return [...listOwnConditions(database, list, filter, { isTimed, isFew }), ...all]
}

type Looked = { readonly isTimed: boolean; readonly isFew: boolean }

function listOwnConditions(
  database: DatabaseSync,
  list: ListName,
  filter: Filter,
  { isTimed, isFew }: Looked,
): readonly Sql[] {
  const { since, until, agent, kind, reason, measure, amount_min, amount_max, tag } = filter
  const isOfVerdicts = list === 'flows'
  const hasAmounts = list === 'executions' || list === 'escalations'
  // `+` keeps SQLite off the index of a column.
  const no = isFew ? '+' : ''
  const time = `${isFew || isLongSpan(database, list, filter) ? '+' : ''}${LISTS[list].time}`
  return [
    ...Object.entries(filter.columns).map(([name, wanted]) => buildAnyOf(`${no}${name}`, wanted)),
    ...compare(`${no}agent`, '=', agent),
    ...(isTimed
      ? []
      : [
          ...compare(time, '>=', toBound(list, since)),
          ...compare(time, '<', toBound(list, until)),
        ]),
    ...(isOfVerdicts
      ? []
      : [...compare(`${no}kind`, '=', kind), ...compare('reason', '=', reason)]),
    ...(hasAmounts ? compareAmounts(measure, amount_min, amount_max) : []),
    ...(tag === undefined ? [] : [buildTag(list, tag)]),
  ]
}

function isLongSpan(database: DatabaseSync, list: ListName, { since, until }: Filter): boolean {
  if (list !== 'executions' || (since === undefined && until === undefined)) return false
  const { text, values } = joinConditions([
    ...compare('at', '>=', since),
    ...compare('at', '<', until),
  ])
  const some = `SELECT 1 FROM execution ${text} LIMIT ${TIMED}`
  return Number(database.prepare(`SELECT count(*) AS n FROM (${some})`).get(...values)?.n) === TIMED
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
export function listVerdictConditions(
  list: ListName,
  { outcome, kind, reason, measure, amount_min, amount_max, since, until }: Filter,
  isTimed: boolean,
): readonly Sql[] {
  return [
    ...buildOutcome(outcome),
    ...(list === 'flows' ? [...compare('kind', '=', kind), ...compare('reason', '=', reason)] : []),
    ...(isTimed ? [...compare('at', '>=', since), ...compare('at', '<', until)] : []),
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
): Conditions {
  if (list !== 'flows' && list !== 'entries') return NONE
  const conditions = listVerdictConditions(list, filter, isTimed)
  if (conditions.length === 0) return NONE
  const { text, values } = joinConditions(conditions)
  const isFlows = list === 'flows'
  const [name, of] = isFlows ? ['flow.id', 'flow'] : ['entry.leaf', 'leaf']
  const some = `SELECT 1 FROM decision ${text} LIMIT ${COLLECTED}`
  const fitting = database.prepare(`SELECT count(*) AS n FROM (${some})`).get(...values)?.n
  const isCollected = Number(fitting) < COLLECTED
  // In another order than its own a list of entries would be walked to its end, and most have no verdict.
  if (!isFlows && (isCollected || filter.sort.column !== LISTS.entries.order.column)) {
    const verdicts = `(SELECT leaf AS place FROM decision ${text})`
    const from = { text: `${verdicts} CROSS JOIN entry ON entry.leaf = place`, values }
    return { all: [], isFew: true, from }
  }
  if (isCollected) {
    const collected = `${name} IN (SELECT ${of} FROM decision ${text})`
    return { all: [{ text: collected, values }], isFew: true }
  }
  const through = isFlows ? 'INDEXED BY decision_flow' : 'NOT INDEXED'
  const one = `SELECT 1 FROM decision ${through} ${text} AND decision.${of} = ${name}`
  return { all: [{ text: `EXISTS (${one})`, values }], isFew: false }
}

const NONE: Conditions = { all: [], isFew: false }

function buildTag(list: ListName, tag: string): Sql {
  const hasTag = 'instr(tags, ?) > 0'
  const text = list === 'flows' ? hasTag : `flow IN (SELECT id FROM flow WHERE ${hasTag})`
  return { text, values: [`,${tag},`] }
}

function buildWords(database: DatabaseSync, list: ListName, words: readonly string[]): Conditions {
  if (words.length === 0) return NONE
  const isFew = collectAsked(database, words) <= FEW && LISTS[list].fewWords !== null
  return { all: [{ text: buildAskedCondition(list, isFew), values: [] }], isFew }
}

export function compare(
  column: string,
  sign: string,
  value: SQLInputValue | undefined,
): readonly Sql[] {
  return value === undefined ? [] : [{ text: `${column} ${sign} ?`, values: [value] }]
}

function buildAnyOf(column: string, wanted: readonly string[]): Sql {
  return { text: `${column} IN (${wanted.map(() => '?').join(', ')})`, values: wanted }
}

export function joinConditions(conditions: readonly Sql[]): Sql {
  if (conditions.length === 0) return { text: '', values: [] }
  return {
    text: `WHERE ${conditions.map(({ text }) => text).join(' AND ')}`,
    values: conditions.flatMap(({ values }) => values),
  }
}
