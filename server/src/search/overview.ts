/**
 * How it went in a span of time: what the index alone can count. Each figure is the number of rows that a list has with
 * the same filter (`query.ts`, Q1): a flow counts once for every outcome that one of its verdicts had in the span.
 */
import type { DatabaseSync } from 'node:sqlite'
import { formatBudgetUnits, formatInstant, LIMITS } from 'rubicon-kernel'
import { findSilent, listOpenings, type SilentAgent } from './openings.ts'
import { parseNumbers } from './parse-numbers.ts'
import { listTallied, type TalliedVerdicts } from './verdict-tally.ts'

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
export function chooseStep({ since, until }: Span, most: number = BUCKETS): number {
  const least = Math.ceil((until - since) / most)
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
  const step = chooseStep(span)
  const verdicts = listTallied(database, { ...span, step })
  return {
    since: formatInstant(since),
    until: formatInstant(until),
    step_ms: step,
    decisions: { ...countOutcomes(verdicts), before: countBefore(database, span) },
    series: buildSeries(verdicts, span, step),
    allowed: listAllowed(verdicts),
    reasons: listReasons(verdicts),
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

/** In as much time before. */
function countBefore(database: DatabaseSync, { since, until }: Span): OutcomeCounts {
  const length = until - since
  const begin = Math.max(0, since - length)
  return countOutcomes(listTallied(database, { since: begin, until: since, step: length }))
}

/** Flows: one that had a verdict of the kind in the span before counts there. */
function countOutcomes(verdicts: readonly TalliedVerdicts[]): OutcomeCounts {
  return verdicts.reduce((counts, one) => addVerdicts(counts, one, -1), NONE)
}

function addVerdicts(
  counts: OutcomeCounts,
  { outcome, before, n }: TalliedVerdicts,
  latest: number,
): OutcomeCounts {
  const decided = counts.decided + (before.any <= latest ? n : 0)
  if (before.outcome > latest) return { ...counts, decided }
  switch (outcome) {
    case 'accepted':
    case 'rejected':
    case 'escalated':
      return { ...counts, decided, [outcome]: counts[outcome] + n }
    default:
      return { ...counts, decided }
  }
}

function buildSeries(
  verdicts: readonly TalliedVerdicts[],
  { since, until }: Span,
  step: number,
): SearchedOverview['series'] {
  const counts = Array.from({ length: Math.ceil((until - since) / step) }, () => NONE)
  for (const one of verdicts)
    counts[one.bucket] = addVerdicts(counts[one.bucket] ?? NONE, one, one.bucket - 1)
  return counts.map((found, bucket) => ({ at: formatInstant(since + bucket * step), ...found }))
}

function listReasons(verdicts: readonly TalliedVerdicts[]): SearchedOverview['reasons'] {
  return [...collectByCode(verdicts, 'rejected')]
    .map(([code, { flows }]) => ({ code, count: flows }))
    .toSorted((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1))
    .slice(0, REASONS)
}

function listAllowed(verdicts: readonly TalliedVerdicts[]): readonly AllowedAmount[] {
  return [...collectByCode(verdicts, 'accepted')]
    .map(([measure, { flows, amount }]) => ({
      measure,
      amount: formatBudgetUnits(measure, amount),
      flows,
    }))
    .toSorted((a, b) => b.flows - a.flows || (a.measure < b.measure ? -1 : 1))
    .slice(0, MEASURES)
}

type CodeSum = { readonly flows: number; readonly amount: bigint }

/** Of an outcome, by reason or measure. */
function collectByCode(
  verdicts: readonly TalliedVerdicts[],
  outcome: string,
): ReadonlyMap<string, CodeSum> {
  const sums = new Map<string, CodeSum>()
  for (const one of verdicts) {
    if (one.outcome !== outcome || one.code === '') continue
    const { flows, amount } = sums.get(one.code) ?? { flows: 0, amount: 0n }
    const added = one.before.code < 0 ? one.n : 0
    sums.set(one.code, { flows: flows + added, amount: amount + one.amount })
  }
  return sums
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

function computeTook(database: DatabaseSync, { since, until }: Span): SearchedOverview['took'] {
  const sql = `SELECT json_group_array(took_ms) AS took FROM decision INDEXED BY decision_at
    WHERE at >= ? AND at < ? AND took_ms IS NOT NULL`
  const took = Float64Array.from(parseNumbers(database.prepare(sql).get(since, until)?.took)).sort()
  const find = (share: number): number | null => took[Math.ceil(took.length * share) - 1] ?? null
  return { p50_ms: find(0.5), p99_ms: find(0.99), count: took.length }
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
