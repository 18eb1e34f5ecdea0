/**
 * Verdicts counted by steps of time, beside the verdicts: an overview of a month reads some hundred rows and not every verdict.
 *
 * Y1 it changes in the transaction of the verdicts that it counts. What a flow had is taken out before the flow is forgotten.
 * Y2 a verdict knows when its flow had the one before it: of any outcome, of the same, and of the same with the same code. In
 *    a span, flows are counted without being listed: the verdicts whose own predecessor lies before the span.
 * Y3 so the times of a flow's verdicts never go back: where two clocks differ, a verdict has the time of the one before it.
 */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { Outcome } from './fold-entry.ts'

const MINUTE_MS = 60_000

/** What a span is read in that begins and ends with such a step: the longest first. */
export const TALLY_STEPS: readonly [number, number] = [180 * MINUTE_MS, 15 * MINUTE_MS]
/** Of shorter ones no agents are kept: nearly each verdict would have a row of its own. */
const AGENT_STEPS = TALLY_STEPS.slice(0, 1)

/** What flows are counted by beside the outcome: the reason of a rejection, the measure of what was accepted. */
const CODE = "CASE outcome WHEN 'rejected' THEN reason WHEN 'accepted' THEN measure END"

/** Summed in halves: a sum of SQLite ends at 64 bits. Nothing is written as -1, so that it is equal to itself. */
const VERDICTS = `SELECT leaf, flow, at, agent, outcome, coalesce(${CODE}, '') AS code,
  coalesce(before_any, -1) AS before_any, coalesce(before_outcome, -1) AS before_outcome,
  coalesce(before_code, -1) AS before_code, 1 AS n, coalesce(amount >> 32, 0) AS high,
  coalesce(amount & 4294967295, 0) AS low FROM decision WHERE outcome <> 'ended'`

type Prepare = (sql: string) => StatementSync

export type Predecessors = {
  /** No earlier than that of the verdict before. */
  readonly at: number
  readonly before_any: number | null
  readonly before_outcome: number | null
  readonly before_code: number | null
}

export const NO_PREDECESSORS: Omit<Predecessors, 'at'> = {
  before_any: null,
  before_outcome: null,
  before_code: null,
}

type NewVerdict = {
  readonly at: number
  readonly outcome: Outcome
  readonly reason: string | null
  readonly measure: string | null
}

const FIND_PREDECESSORS = `SELECT max(at) AS before_any, max(iif(outcome = ?2, at, NULL)) AS before_outcome,
  max(iif(outcome = ?2 AND ${CODE} IS ?3, at, NULL)) AS before_code
  FROM decision INDEXED BY decision_flow WHERE flow = ?1 AND outcome <> 'ended'`

/** Of a verdict that comes next in its flow. */
export function findPredecessors(
  prepare: Prepare,
  flow: number,
  { at, outcome, reason, measure }: NewVerdict,
): Predecessors {
  const code = outcome === 'rejected' ? reason : outcome === 'accepted' ? measure : null
  const found = prepare(FIND_PREDECESSORS).get(flow, outcome, code)
  const [before_any, before_outcome, before_code] = [
    toMoment(found?.before_any),
    toMoment(found?.before_outcome),
    toMoment(found?.before_code),
  ]
  return { at: Math.max(at, before_any ?? 0), before_any, before_outcome, before_code }
}

function toMoment(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}

/** From this leaf on. */
export function addToTally(prepare: Prepare, leaf: number): void {
  prepare(buildChange('leaf >= ?', '+')).run(leaf)
}

/** Before its verdicts are deleted. */
export function takeFromTally(prepare: Prepare, flow: number): void {
  prepare(buildChange('flow = ?', '-')).run(flow)
  const steps = TALLY_STEPS.map((step) => `SELECT ${step}, at - at % ${step} FROM of_flow`)
  prepare(`WITH of_flow AS (SELECT at FROM decision WHERE flow = ?)
    DELETE FROM tally WHERE (every, at) IN (${steps.join(' UNION ALL ')}) AND n = 0`).run(flow)
}

function buildChange(which: string, sign: '+' | '-'): string {
  const every = TALLY_STEPS.map((step) => `SELECT ${step} AS every`).join(' UNION ALL ')
  const begin = (column: string): string => `iif(${column} < 0, -1, ${column} - ${column} % every)`
  const columns = ['before_any', 'before_outcome', 'before_code']
  const sums = ['n', 'high', 'low']
  const agent = `iif(every IN (${AGENT_STEPS.join(', ')}), agent, '') AS agent`
  return `INSERT INTO tally SELECT every, ${begin('at')} AS at, ${agent}, outcome, code,
      ${columns.map(begin).join(', ')}, ${sums.map((name) => `sum(${name})`).join(', ')}
    FROM (${VERDICTS} AND ${which}) CROSS JOIN (${every}) WHERE true GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
    ON CONFLICT DO UPDATE SET ${sums.map((name) => `${name} = ${name} ${sign} excluded.${name}`).join(', ')}`
}

type Steps = { readonly since: number; readonly until: number; readonly step: number }

export type TalliedVerdicts = {
  /** The number of the step from `since` on. */
  readonly bucket: number
  readonly outcome: string
  readonly code: string
  /** That of the verdict before: of any outcome, the same, and the same with the same code; -1: none in the span. */
  readonly before: { readonly any: number; readonly outcome: number; readonly code: number }
  readonly n: number
  readonly amount: bigint
}

export function listTallied(database: DatabaseSync, steps: Steps): readonly TalliedVerdicts[] {
  const toBucket = (column: string): string => `CAST((${column} - ?1) / ?2 AS INTEGER)`
  const toBucketBefore = (column: string): string => `iif(${column} >= ?1, ${toBucket(column)}, -1)`
  const sql = `SELECT ${toBucket('at')} AS bucket, outcome, code, ${toBucketBefore('before_any')} AS any,
      ${toBucketBefore('before_outcome')} AS same, ${toBucketBefore('before_code')} AS coded,
      sum(n) AS n, sum(high) AS high, sum(low) AS low
    FROM (${chooseSource(steps, TALLY_STEPS)}) WHERE at >= ?1 AND at < ?3 GROUP BY 1, 2, 3, 4, 5, 6`
  return database
    .prepare(sql)
    .all(...toValues(steps))
    .map((row) => ({
      bucket: Number(row.bucket),
      outcome: String(row.outcome),
      code: String(row.code),
      before: { any: Number(row.any), outcome: Number(row.same), code: Number(row.coded) },
      n: Number(row.n),
      amount: (BigInt(Number(row.high)) << 32n) + BigInt(Number(row.low)),
    }))
}

export type TalliedAgent = {
  readonly agent: string
  readonly bucket: number
  readonly outcome: string
  readonly n: number
}

export function listTalliedAgents(database: DatabaseSync, steps: Steps): readonly TalliedAgent[] {
  const sql = `SELECT agent, CAST((at - ?1) / ?2 AS INTEGER) AS bucket, outcome, sum(n) AS n
    FROM (${chooseSource(steps, AGENT_STEPS)}) WHERE at >= ?1 AND at < ?3 GROUP BY 1, 2, 3`
  return database
    .prepare(sql)
    .all(...toValues(steps))
    .map(({ agent, bucket, outcome, n }) => ({
      agent: String(agent),
      bucket: Number(bucket),
      outcome: String(outcome),
      n: Number(n),
    }))
}

/** Whatever begins or ends between two steps is counted verdict by verdict. */
function chooseSource({ since, until, step }: Steps, tallies: readonly number[]): string {
  const kept = tallies.find((every) => [since, until, step].every((one) => one % every === 0))
  return kept === undefined ? VERDICTS : `SELECT * FROM tally WHERE every = ${kept}`
}

function toValues({ since, until, step }: Steps): readonly SQLInputValue[] {
  return [since, step, until]
}
