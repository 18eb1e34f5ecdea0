/** Figures of a span against a plain count of its verdicts, after any history. */
import assert from 'node:assert/strict'
import type { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatBudgetUnits, formatInstant, mintDfid } from 'rubicon-kernel'
import { listAgentActivity } from './agent-activity.ts'
import type { FoldedVerdict, IndexChange } from './fold-entry.ts'
import { type IndexBatch, IndexWriter } from './index-writer.ts'
import { openIndexDatabase } from './open-index.ts'
import { computeOverview, type Span } from './overview.ts'
import type { TouchedFlow } from './read-touched.ts'
import { TALLY_STEPS } from './verdict-tally.ts'

const [LONG, SHORT] = TALLY_STEPS
const START = Date.UTC(2026, 0, 1)
const LENGTH = 10 * LONG

type Step =
  | { readonly kind: 'verdict'; readonly flow: number; readonly verdict: FoldedVerdict }
  | { readonly kind: 'erasure'; readonly flow: number }
/** `later`: clocks differ, and time goes back now and then. */
type Happened = Step & { readonly later: number; readonly endsBatch: boolean }

const flow = fc.nat({ max: 6 })
const verdict: fc.Arbitrary<FoldedVerdict> = fc.record({
  outcome: fc.constantFrom('accepted', 'rejected', 'escalated', 'ended'),
  reason: fc.constantFrom('LIMIT_EXCEEDED', 'AUTHORITY_CEILING', null),
  kind: fc.constantFrom('REFUND', null),
  object: fc.constant(null),
  amount: fc.constantFrom(
    null,
    { measure: 'usd', units: 2 ** 40 + 7 },
    { measure: 'usd', units: 12 },
    { measure: 'eur', units: null },
  ),
  took_ms: fc.constantFrom(null, 0, 7, 900),
  step: fc.constant(null),
})
const happened: fc.Arbitrary<Happened> = fc
  .tuple(
    fc.oneof(
      { weight: 9, arbitrary: fc.record({ kind: fc.constant('verdict' as const), flow, verdict }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('erasure' as const), flow }) },
    ),
    fc.oneof(fc.integer({ min: -2_000, max: 2_000 }), fc.nat({ max: 2 * SHORT }), fc.nat(LONG)),
    fc.boolean(),
  )
  .map(([step, later, endsBatch]) => ({ ...step, later, endsBatch }))

/** Of the history, without what the erased flows had said by then: what an index is made of that begins afterwards. */
function listChanges(history: readonly Happened[], isRemade: boolean): readonly IndexChange[] {
  let at = START
  return history.map((step, leaf) => {
    at = Math.max(START, at + step.later)
    // An erased flow has ended: it says nothing more.
    const said = isRemade ? history : history.slice(0, leaf)
    const isGone = said.some((one) => isErasureOf(one, step.flow))
    return {
      ...{ leaf, at, kind: step.kind === 'erasure' ? 'erasure' : 'rejection', trajectory: 'main' },
      ...{ dfid: nameFlow(step.flow), agent: null, reason: null, request: null, happening: null },
      verdict: step.kind === 'verdict' && !isGone ? step.verdict : null,
      texts: [],
      erases: step.kind === 'erasure' ? nameFlow(step.flow) : null,
    }
  })
}

function isErasureOf(one: Happened, flow: number): boolean {
  return one.kind === 'erasure' && one.flow === flow
}

function nameFlow(flow: number): string {
  return mintDfid(START + flow, new Uint8Array(10))
}

function touch(flow: number, at: number): TouchedFlow {
  const [opened_at, updated_at] = [formatInstant(START + flow), formatInstant(at)]
  const row = {
    ...{ dfid: nameFlow(flow), version: 1, agent_id: `bot_${flow % 3}`, trigger: '', attempts: 1 },
    ...{ parent_dfid: null, root_dfid: nameFlow(flow), trajectory: 'main', state: 'ACTIVE' },
    ...{ tags: [], opened_at, updated_at },
  }
  // The index reads no more of it.
  return { dfid: nameFlow(flow), flow: row as never, executions: null, requests: [] }
}

function toBatch(changes: readonly IndexChange[]): IndexBatch {
  const last = changes.at(-1)
  const touched = [0, 1, 2, 3, 4, 5, 6]
    .filter((flow) => changes.some(({ dfid }) => dfid === nameFlow(flow)))
    .map((flow) => touch(flow, last?.at ?? START))
  return { changes, touched, kinds: new Map(), leaf: (last?.leaf ?? -1) + 1, last: null }
}

/** In the batches that the history says, or in one. */
function makeIndex(history: readonly Happened[], isRemade: boolean): DatabaseSync {
  const { database } = openIndexDatabase(null, 't')
  const writer = new IndexWriter(database)
  let batch: IndexChange[] = []
  for (const [leaf, change] of listChanges(history, isRemade).entries()) {
    batch.push(change)
    if (isRemade || history[leaf]?.endsBatch !== true) continue
    writer.write(toBatch(batch))
    batch = []
  }
  if (batch.length > 0) writer.write(toBatch(batch))
  return database
}

type Figures = {
  readonly counts: object
  readonly reasons: readonly unknown[]
  readonly allowed: readonly unknown[]
}

/** Each figure by itself, as a list counts it. */
function countPlainly(database: DatabaseSync, { since, until }: Span): Figures {
  const count = (which: string): number =>
    Number(
      database
        .prepare(
          `SELECT count(DISTINCT flow) AS n FROM decision WHERE at >= ? AND at < ? AND ${which}`,
        )
        .get(since, until)?.n,
    )
  const list = (of: string, which: string): readonly string[] =>
    database
      .prepare(`SELECT DISTINCT ${of} AS name FROM decision WHERE at >= ? AND at < ? AND ${which}`)
      .all(since, until)
      .map(({ name }) => String(name))
      .filter((name) => name !== 'null')
  const counts = {
    decided: count("outcome <> 'ended'"),
    accepted: count("outcome = 'accepted'"),
    rejected: count("outcome = 'rejected'"),
    escalated: count("outcome = 'escalated'"),
  }
  const reasons = list('reason', "outcome = 'rejected'").map((code) => [
    code,
    count(`outcome = 'rejected' AND reason = '${code}'`),
  ])
  const allowed = list('measure', "outcome = 'accepted'").map((measure) => [
    measure,
    count(`outcome = 'accepted' AND measure = '${measure}'`),
    sumPlainly(database, { since, until }, measure),
  ])
  return { counts, reasons: reasons.sort(), allowed: allowed.sort() }
}

function sumPlainly(database: DatabaseSync, { since, until }: Span, measure: string): string {
  const rows = database
    .prepare(
      `SELECT amount FROM decision WHERE at >= ? AND at < ? AND outcome = 'accepted' AND measure = ?`,
    )
    .all(since, until, measure)
  const sum = rows.reduce((sum, { amount }) => sum + BigInt(Number(amount ?? 0)), 0n)
  return formatBudgetUnits(measure, sum)
}

function readFigures(database: DatabaseSync, span: Span): object {
  const { decisions, reasons, allowed } = computeOverview(database, span, START + LENGTH)
  const { before: _, ...counts } = decisions
  return {
    counts,
    reasons: reasons.map(({ code, count }) => [code, count]).sort(),
    allowed: allowed.map(({ measure, flows, amount }) => [measure, flows, amount]).sort(),
  }
}

/** Most spans begin and end with a step of the tally; all others are counted verdict by verdict. */
const span: fc.Arbitrary<Span> = fc
  .tuple(fc.constantFrom(LONG, SHORT, 60_000, 1), fc.nat(), fc.nat())
  .map(([step, from, length]) => {
    const most = LENGTH / step
    const since = START + (from % most) * step
    return { since, until: since + (1 + (length % most)) * step }
  })

test('Y1: figures of any span are those of a plain count, after any history', () => {
  const histories = fc.array(happened, { maxLength: 40 })
  fc.assert(
    fc.property(histories, fc.array(span, { minLength: 1, maxLength: 6 }), (history, spans) => {
      const database = makeIndex(history, false)
      for (const one of spans) {
        assert.deepEqual(readFigures(database, one), countPlainly(database, one))
        const { decisions, series, step_ms } = computeOverview(database, one, one.until)
        for (const { at, ...counts } of series) {
          const begin = Date.parse(at)
          const end = Math.min(one.until, begin + step_ms)
          assert.deepEqual({ counts }, pickCounts(database, { since: begin, until: end }))
        }
        const since = Math.max(0, one.since - (one.until - one.since))
        const before = { since, until: one.since }
        assert.deepEqual({ counts: decisions.before }, pickCounts(database, before))
        assert.deepEqual(sumActivity(database, one), countActivity(database, one))
      }
      database.close()
    }),
    { numRuns: 60 },
  )
})

test('Y1: what was forgotten is in no figure: an index that is made afterwards has the same', () => {
  fc.assert(
    fc.property(fc.array(happened, { maxLength: 40 }), (history) => {
      const [met, remade] = [makeIndex(history, false), makeIndex(history, true)]
      for (const sql of ['SELECT * FROM tally', 'SELECT name FROM agent ORDER BY name'])
        assert.deepEqual(met.prepare(sql).all(), remade.prepare(sql).all(), sql)
      met.close()
      remade.close()
    }),
    { numRuns: 60 },
  )
})

test('Y3: a verdict that another clock dates back has the time of the one before it', () => {
  const rejected = { ...REJECTED, flow: 1, later: 5_000, endsBatch: true } as const
  const database = makeIndex([rejected, { ...rejected, later: -4_000 }], false)
  const times = database.prepare('SELECT at, before_any FROM decision ORDER BY leaf').all()
  assert.deepEqual(
    times.map(({ at, before_any }) => [at, before_any]),
    [
      [START + 5_000, null],
      [START + 5_000, START + 5_000],
    ],
  )
  database.close()
})

const REJECTED: Pick<Extract<Step, { kind: 'verdict' }>, 'kind' | 'verdict'> = {
  kind: 'verdict',
  verdict: {
    ...{ outcome: 'rejected', reason: 'LIMIT_EXCEEDED', kind: 'REFUND', object: null },
    ...{ amount: null, took_ms: 1, step: null },
  },
}

function pickCounts(database: DatabaseSync, one: Span): object {
  const { counts } = countPlainly(database, one)
  return { counts }
}

type Activity = Readonly<Record<string, number>>

/** Verdicts of each agent, by outcome, and all that its line shows. */
function sumActivity(database: DatabaseSync, one: Span): Activity {
  const sums: Record<string, number> = {}
  for (const found of listAgentActivity(database, one, one.until).agents) {
    for (const outcome of ['accepted', 'rejected', 'escalated'] as const)
      if (found[outcome] > 0) sums[`${found.agent_id} ${outcome}`] = found[outcome]
    const total = found.series.reduce((sum, count) => sum + count, 0)
    assert.equal(total, found.accepted + found.rejected + found.escalated)
  }
  return sums
}

function countActivity(database: DatabaseSync, { since, until }: Span): Activity {
  const rows = database
    .prepare(`SELECT agent || ' ' || outcome AS name, count(*) AS n FROM decision
      WHERE at >= ? AND at < ? AND outcome <> 'ended' GROUP BY 1`)
    .all(since, until)
  return Object.fromEntries(rows.map(({ name, n }) => [String(name), Number(n)]))
}
