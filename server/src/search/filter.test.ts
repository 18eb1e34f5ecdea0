import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatInstant, mintDfid } from 'rubicon-kernel'
import type { FlowRow } from 'rubicon-runtime/ports'
import { countRows } from './count-rows.ts'
import { parseFilter } from './filter.ts'
import { type FoldedVerdict, type IndexChange, OUTCOMES } from './fold-entry.ts'
import { IndexWriter } from './index-writer.ts'
import { openIndexDatabase } from './open-index.ts'
import { findRows } from './query.ts'

type Verdict = Pick<FoldedVerdict, 'outcome' | 'reason' | 'kind'> & {
  readonly at: number
  readonly units: number | null
}
type Made = {
  readonly dfid: string
  readonly agent: string
  readonly opened: number
  readonly state: string
  readonly text: string
  readonly verdicts: readonly Verdict[]
}
type Query = Readonly<Record<string, string>>

const verdict = fc.record<Verdict>({
  at: fc.nat(100),
  outcome: fc.constantFrom(...OUTCOMES),
  reason: fc.constantFrom(null, 'LIMIT_EXCEEDED', 'STATE_DRIFT'),
  kind: fc.constantFrom('REFUND', 'BUY'),
  units: fc.option(fc.nat(5)),
})
const flow = fc.record<Omit<Made, 'dfid'>>({
  agent: fc.constantFrom('a', 'b'),
  opened: fc.nat(100),
  state: fc.constantFrom('ACTIVE', 'CLOSED'),
  text: fc.constantFrom('Order 4711', 'ÄRGER "x"', 'ab', 'order o_1 for ann', '%_'),
  // Times of a flow do not go back.
  verdicts: fc
    .array(verdict, { maxLength: 3 })
    .map((given) => given.toSorted((a, b) => a.at - b.at)),
})
const query = fc.record<Record<string, string>>(
  {
    agent: fc.constantFrom('a', 'b'),
    state: fc.constantFrom('ACTIVE', 'CLOSED,ACTIVE'),
    kind: fc.constantFrom('REFUND', 'BUY'),
    outcome: fc.constantFrom(...OUTCOMES, 'decided'),
    reason: fc.constantFrom('LIMIT_EXCEEDED', 'STATE_DRIFT'),
    amount_min: fc.constantFrom('0', '0.000002'),
    amount_max: fc.constantFrom('0.000003', '9'),
    words: fc.constantFrom(
      'order',
      'ORDER 47',
      'o',
      'o a 1 r',
      'r 4711 order',
      'ärger',
      '"x"',
      '%',
      'nn r',
      'ab',
    ),
    since: fc.nat(100).map(formatInstant),
    until: fc.nat(120).map(formatInstant),
    sort: fc.constantFrom('opened', '-opened', 'amount', '-amount', 'reason', '-updated', 'kind'),
  },
  { requiredKeys: [] },
)

test('what a filter finds is what is found by looking at every flow, page by page', () => {
  fc.assert(
    fc.property(fc.array(flow, { maxLength: 12 }), query, fc.integer({ min: 1, max: 4 }), check),
    { numRuns: 300 },
  )
})

function check(given: readonly Omit<Made, 'dfid'>[], asked: Query, limit: number): void {
  const made = given.map((one, i) => ({ ...one, dfid: mintDfid(one.opened, toBytes(i)) }))
  const { database } = openIndexDatabase(null, 'default')
  write(database, made)
  const expected = made.filter((one) => isWanted(one, asked)).map(({ dfid }) => dfid)
  const found: string[] = []
  let cursor: string | null = null
  do {
    const page: Query = cursor === null ? asked : { ...asked, cursor }
    const frame = { list: 'flows', own: null, measures: ['usd'], limit } as const
    const filter = parseFilter(page, frame)
    assert.ok(filter.ok)
    if (cursor === null) {
      const { total, by } = countRows(database, 'flows', filter.value)
      assert.equal(total, expected.length)
      for (const outcome of OUTCOMES)
        assert.equal(by[outcome], made.filter((one) => isWanted(one, { ...asked, outcome })).length)
    }
    const { rows, next } = findRows(database, 'flows', filter.value)
    found.push(...rows.map(({ dfid }) => String(dfid)))
    cursor = next
  } while (cursor !== null)
  assert.equal(new Set(found).size, found.length, 'no flow comes twice')
  assert.deepEqual(found.toSorted(), expected.toSorted())
  if (asked.sort === undefined) assert.deepEqual(found, found.toSorted().reverse())
  database.close()
}

/** The same, without an index. */
function isWanted(one: Made, asked: Query): boolean {
  const { agent, state, kind, outcome, reason, amount_min, amount_max, since, until } = asked
  const isIn = (at: number): boolean =>
    (since === undefined || formatInstant(at) >= since) &&
    (until === undefined || formatInstant(at) < until)
  const isTimed = outcome !== undefined || reason !== undefined
  const isCompared = amount_min !== undefined || amount_max !== undefined
  const needsAmount = isCompared || asked.sort?.endsWith('amount') === true
  const needsVerdict = isTimed || kind !== undefined || needsAmount
  const fits = (said: Verdict): boolean =>
    (kind === undefined || said.kind === kind) &&
    (outcome === undefined ||
      (outcome === 'decided' ? said.outcome !== 'ended' : said.outcome === outcome)) &&
    (reason === undefined || said.reason === reason) &&
    (!isTimed || isIn(said.at)) &&
    (!isCompared || said.units !== null) &&
    (amount_min === undefined || (said.units ?? -1) >= Number(amount_min) * 1e6) &&
    (amount_max === undefined || (said.units ?? 1e9) <= Number(amount_max) * 1e6)
  const words = (asked.words ?? '').toLowerCase().split(' ')
  const text = [one.dfid, one.agent, one.text.toLowerCase()].join('\n')
  return (
    (agent === undefined || one.agent === agent) &&
    (state === undefined || state.split(',').includes(one.state)) &&
    (isTimed || isIn(one.opened)) &&
    (!needsVerdict || one.verdicts.some(fits)) &&
    words.every((word) => text.includes(word))
  )
}

function write(
  database: ReturnType<typeof openIndexDatabase>['database'],
  made: readonly Made[],
): void {
  let leaf = 0
  const changes = made.flatMap(({ dfid, text, verdicts }) =>
    [null, ...verdicts].map((said): IndexChange => {
      leaf += 1
      return {
        ...{ leaf, at: said?.at ?? 0, kind: 'rejection', trajectory: 'main', dfid, agent: null },
        ...{ reason: said?.reason ?? null, request: null, happening: null, erases: null },
        texts: [text],
        verdict: said === null ? null : toFolded(said),
      }
    }),
  )
  const touched = made.map((one) => ({
    ...{ dfid: one.dfid, executions: [], requests: [] },
    flow: toRow(one),
  }))
  new IndexWriter(database).write({ changes, touched, kinds: new Map(), leaf, last: 'x' })
}

function toFolded({ outcome, reason, kind, units }: Verdict): FoldedVerdict {
  const amount = { measure: 'usd', units }
  return { outcome, reason, kind, object: null, amount, took_ms: null, step: null }
}

function toRow({ dfid, agent, opened, state }: Made): FlowRow {
  const at = formatInstant(opened)
  return parseRow({
    ...{ dfid, agent_id: agent, opened_at: at, updated_at: at, state, tags: [] },
    ...{ attempts: 0, parent_dfid: null, trajectory: 'main' },
  })
}

/** As much of a row as the index reads. */
function parseRow(row: object): FlowRow {
  return row as FlowRow
}

function toBytes(i: number): Uint8Array {
  return Uint8Array.from({ length: 10 }, (_, place) => (place === 9 ? i : 0))
}

test('what cannot be answered is refused, with why', () => {
  const frame = { list: 'flows', own: null, measures: ['eur', 'usd'], limit: 5 } as const
  for (const [asked, path] of [
    [{ sort: 'colour' }, '/sort'],
    [{ sort: 'amount' }, '/measure'],
    [{ amount_min: '5' }, '/measure'],
    [{ amount_min: '-5', measure: 'usd' }, '/amount_min'],
    [{ since: 'yesterday' }, '/since'],
    [{ cursor: 'x' }, '/cursor'],
    [{ words: 'a '.repeat(40) }, '/words'],
  ] as const) {
    const parsed = parseFilter({ ...asked }, frame)
    assert.equal(parsed.ok, false, JSON.stringify(asked))
    if (!parsed.ok) assert.equal(parsed.error.path, path)
  }
  const outcome = parseFilter({ outcome: 'rejected' }, { ...frame, list: 'executions' })
  assert.equal(outcome.ok, false)
})
