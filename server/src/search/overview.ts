/**
 * How it went in a span of time: what the index alone can count. Each figure is the number of rows that a list has with
 * the same filter (`query.ts`, Q1): a flow counts once for every outcome that one of its verdicts had in the span.
 */
import type { DatabaseSync } from 'node:sqlite'
import { formatBudgetUnits, formatInstant, LIMITS } from 'rubicon-kernel'
import { findSilent, listOpenings, type SilentAgent } from './openings.ts'

export type OutcomeCounts = {
  /** Flows with any of these verdicts: one that was sent to a person and then accepted counts once. */
  readonly decided: number
  readonly accepted: number
  readonly rejected: number
  readonly escalated: number
}

export type WaitingRequest = {
  readonly id: string
  readonly dfid: string
  readonly agent: string
  readonly kind: string | null
  readonly object: string | null
  readonly amount: string | null
  readonly measure: string | null
  readonly reason: string
  readonly impact: string
  readonly since: string
  readonly expires_at: string
}

/** What proposals that were accepted come to, and how many flows they are of. */
export type AllowedAmount = {
  readonly measure: string
  readonly amount: string
  readonly flows: number
}

export type HappenedEvent = {
  readonly leaf: number
  readonly at: string
  readonly what: string
  readonly agent: string | null
  readonly dfid: string | null
  readonly who: string | null
  readonly detail: string | null
}

export type SearchedOverview = {
  readonly since: string
  readonly until: string
  readonly step_ms: number
  readonly decisions: OutcomeCounts & { readonly before: OutcomeCounts }
  readonly series: readonly (OutcomeCounts & { readonly at: string })[]
  readonly allowed: readonly AllowedAmount[]
  readonly reasons: readonly { readonly code: string; readonly count: number }[]
  readonly waiting: {
    readonly count: number
    readonly oldest_at: string | null
    readonly median_wait_ms: number | null
    readonly requests: readonly WaitingRequest[]
  }
  readonly took: {
    readonly p50_ms: number | null
    readonly p99_ms: number | null
    readonly count: number
  }
  readonly happened: readonly HappenedEvent[]
  readonly silent: readonly SilentAgent[]
  /** Agents that opened a flow in the last week, the last one first: some of them, if there are many. */
  readonly recent: readonly string[]
}

export type Span = { readonly since: number; readonly until: number }

const BUCKETS = 96
const REASONS = 8
const MEASURES = 6
const REQUESTS = 5
const HAPPENED = 12
const RECENT = LIMITS.listed

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const STEPS = [
  MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  7 * DAY,
]

/** The shortest step that leaves no more buckets than can be drawn. */
export function chooseStep({ since, until }: Span): number {
  const least = Math.ceil((until - since) / BUCKETS)
  return STEPS.find((step) => step >= least) ?? Math.ceil(least / DAY) * DAY
}

export const RANGES = ['1h', '24h', '7d', '30d'] as const
export type Range = (typeof RANGES)[number]

const LENGTHS: Readonly<Record<Range, number>> = {
  '1h': HOUR,
  '24h': DAY,
  '7d': 7 * DAY,
  '30d': 30 * DAY,
}

/** To the end of the step that is under way: buckets stay where they are from one question to the next. */
export function computeSpan(range: Range, now: number): Span {
  const length = LENGTHS[range]
  const step = chooseStep({ since: 0, until: length })
  const until = (Math.floor(now / step) + 1) * step
  return { since: until - length, until }
}

export function computeOverview(database: DatabaseSync, span: Span, now: number): SearchedOverview {
  const { since, until } = span
  const openings = listOpenings(database, now)
  const before = { since: since - (until - since), until: since }
  return {
    since: formatInstant(since),
    until: formatInstant(until),
    step_ms: chooseStep(span),
    decisions: { ...countOutcomes(database, span), before: countOutcomes(database, before) },
    series: buildSeries(database, span),
    allowed: listAllowed(database, span),
    reasons: listReasons(database, span),
    waiting: listWaiting(database, now),
    took: computeTook(database, span),
    happened: listHappened(database, until),
    silent: findSilent(openings, now),
    recent: openings
      .toSorted((a, b) => b.last - a.last)
      .slice(0, RECENT)
      .map(({ agent }) => agent),
  }
}

const NONE: OutcomeCounts = { decided: 0, accepted: 0, rejected: 0, escalated: 0 }

function countOutcomes(database: DatabaseSync, { since, until }: Span): OutcomeCounts {
  const verdicts = `FROM decision WHERE at >= ?1 AND at < ?2 AND outcome <> 'ended'`
  const sql = `SELECT outcome, count(DISTINCT flow) AS n ${verdicts} GROUP BY 1
    UNION ALL SELECT 'decided', count(DISTINCT flow) ${verdicts}`
  const rows = database.prepare(sql).all(Math.max(0, since), until)
  return {
    ...NONE,
    ...Object.fromEntries(rows.map(({ outcome, n }) => [String(outcome), Number(n)])),
  }
}

function buildSeries(database: DatabaseSync, span: Span): SearchedOverview['series'] {
  const { since, until } = span
  const step = chooseStep(span)
  const bucket = 'CAST((at - ?1) / ?2 AS INTEGER) AS bucket'
  const verdicts = `FROM decision WHERE at >= ?1 AND at < ?3 AND outcome <> 'ended'`
  const sql = `SELECT ${bucket}, outcome, count(DISTINCT flow) AS n ${verdicts} GROUP BY 1, 2
    UNION ALL SELECT ${bucket}, 'decided', count(DISTINCT flow) ${verdicts} GROUP BY 1`
  const found = new Map<number, Record<string, number>>()
  for (const { bucket, outcome, n } of database.prepare(sql).all(since, step, until)) {
    const counts = found.get(Number(bucket)) ?? {}
    counts[String(outcome)] = Number(n)
    found.set(Number(bucket), counts)
  }
  return Array.from({ length: Math.ceil((until - since) / step) }, (_, bucket) => ({
    at: formatInstant(since + bucket * step),
    ...NONE,
    ...found.get(bucket),
  }))
}

function listReasons(database: DatabaseSync, { since, until }: Span): SearchedOverview['reasons'] {
  const sql = `SELECT reason, count(DISTINCT flow) AS n FROM decision WHERE at >= ? AND at < ? AND outcome = 'rejected'
    AND reason IS NOT NULL GROUP BY 1 ORDER BY n DESC, reason LIMIT ?`
  return database
    .prepare(sql)
    .all(since, until, REASONS)
    .map(({ reason, n }) => ({ code: String(reason), count: Number(n) }))
}

/** Summed in halves: a sum of SQLite ends at 64 bits. */
function listAllowed(database: DatabaseSync, { since, until }: Span): readonly AllowedAmount[] {
  const sql = `SELECT measure, sum(amount >> 32) AS high, sum(amount & 4294967295) AS low, count(DISTINCT flow) AS flows
    FROM decision WHERE at >= ? AND at < ? AND outcome = 'accepted' AND measure IS NOT NULL
    GROUP BY 1 ORDER BY flows DESC, measure LIMIT ?`
  const rows = database.prepare(sql).all(since, until, MEASURES)
  return rows.map(({ measure, high, low, flows }) => ({
    measure: String(measure),
    amount: formatBudgetUnits(String(measure), (BigInt(Number(high)) << 32n) + BigInt(Number(low))),
    flows: Number(flows),
  }))
}

/** What is at stake comes first: a high impact, then the larger amount, then what ends earlier. */
function listWaiting(database: DatabaseSync, now: number): SearchedOverview['waiting'] {
  const waits = database
    .prepare("SELECT at FROM escalation WHERE state = 'open' ORDER BY at")
    .all()
    .map(({ at }) => Number(at))
  const sql = `SELECT * FROM escalation WHERE state = 'open'
    ORDER BY impact = 'HIGH_IMPACT' DESC, amount IS NULL, amount DESC, expires_at LIMIT ?`
  const [oldest] = waits
  const middle = waits[Math.floor(waits.length / 2)]
  return {
    count: waits.length,
    oldest_at: oldest === undefined ? null : formatInstant(oldest),
    median_wait_ms: middle === undefined ? null : Math.max(0, now - middle),
    requests: database.prepare(sql).all(REQUESTS).map(toWaitingRequest),
  }
}

function toWaitingRequest(row: Readonly<Record<string, unknown>>): WaitingRequest {
  return {
    id: String(row.id),
    dfid: String(row.dfid),
    agent: String(row.agent),
    kind: toText(row.kind),
    object: toText(row.object),
    ...toShownAmount(row),
    reason: String(row.reason),
    impact: String(row.impact),
    since: formatInstant(Number(row.at)),
    expires_at: formatInstant(Number(row.expires_at)),
  }
}

/** Decimal text of the minor units that a row has. */
export function toShownAmount({
  amount,
  measure,
}: Readonly<Record<string, unknown>>): Pick<WaitingRequest, 'amount' | 'measure'> {
  const name = toText(measure)
  const isKnown = typeof amount === 'number' && name !== null
  return { amount: isKnown ? formatBudgetUnits(name, BigInt(amount)) : null, measure: name }
}

export function toText(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** Durations are whole milliseconds, of which there are few: they are counted, and not sorted. */
function computeTook(database: DatabaseSync, { since, until }: Span): SearchedOverview['took'] {
  const sql = `SELECT took_ms, count(*) AS n FROM decision WHERE at >= ? AND at < ? AND took_ms IS NOT NULL
    GROUP BY 1 ORDER BY 1`
  const rows = database
    .prepare(sql)
    .all(since, until)
    .map(({ took_ms, n }) => ({ ms: Number(took_ms), n: Number(n) }))
  const count = rows.reduce((sum, { n }) => sum + n, 0)
  const find = (share: number): number | null => {
    let left = Math.ceil(count * share)
    for (const { ms, n } of rows) {
      left -= n
      if (left <= 0) return ms
    }
    return null
  }
  return { p50_ms: find(0.5), p99_ms: find(0.99), count }
}

function listHappened(database: DatabaseSync, until: number): readonly HappenedEvent[] {
  const sql = 'SELECT * FROM happening WHERE at < ? ORDER BY leaf DESC LIMIT ?'
  return database
    .prepare(sql)
    .all(until, HAPPENED)
    .map((row) => ({
      leaf: Number(row.leaf),
      at: formatInstant(Number(row.at)),
      what: String(row.what),
      agent: toText(row.agent),
      dfid: toText(row.dfid),
      who: toText(row.who),
      detail: toText(row.detail),
    }))
}
