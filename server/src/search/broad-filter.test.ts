import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mintDfid } from 'rubicon-kernel'
import { COUNTED, countRows } from './count-rows.ts'
import { parseFilter } from './filter.ts'
import { openIndexDatabase } from './open-index.ts'
import { findRows } from './query.ts'

const FLOWS = 25_000
const START = Date.UTC(2026, 0, 1)

/** Every flow is accepted, every tenth was refused before. */
function fillIndex(): ReturnType<typeof openIndexDatabase>['database'] {
  const { database } = openIndexDatabase(null, 't')
  database.exec('BEGIN')
  const flow =
    database.prepare(`INSERT INTO flow (id, dfid, agent, opened_at, updated_at, state, tags, attempts, trajectory)
    VALUES (?, ?, 'bot', ?, ?, 'OPEN', '', 1, 't')`)
  const verdict =
    database.prepare(`INSERT INTO decision (leaf, flow, at, agent, kind, outcome, reason)
    VALUES (?, ?, ?, 'bot', 'REFUND', ?, ?)`)
  for (let i = 1; i <= FLOWS; i++) {
    const at = START + i * 1_000
    flow.run(i, mintDfid(at, new Uint8Array(10)), at, -i)
    if (i % 10 === 0) verdict.run(2 * i, i, at, 'rejected', 'LIMIT_EXCEEDED')
    verdict.run(2 * i + 1, i, at + 500, 'accepted', null)
  }
  database.exec('COMMIT')
  return database
}

test('a filter that fits many verdicts finds the rows in order, page after page, and counts up to a bound', () => {
  const database = fillIndex()
  const ask = (query: Readonly<Record<string, string>>) => {
    const filter = parseFilter(query, { list: 'flows', own: null, measures: [], limit: 3 })
    assert.ok(filter.ok)
    const { rows, next } = findRows(database, 'flows', filter.value)
    return { ids: rows.map(({ id }) => id), next, filter: filter.value }
  }
  const broad = { kind: 'REFUND', outcome: 'accepted' }
  const first = ask(broad)
  assert.deepEqual(first.ids, [FLOWS, FLOWS - 1, FLOWS - 2])
  const second = ask({ ...broad, cursor: first.next ?? '' })
  assert.deepEqual(second.ids, [FLOWS - 3, FLOWS - 4, FLOWS - 5])
  assert.deepEqual(ask({ ...broad, sort: '-updated' }).ids, [1, 2, 3])
  assert.deepEqual(ask({ kind: 'REFUND', outcome: 'rejected' }).ids, [25_000, 24_990, 24_980])
  // Both verdicts are there, but no verdict is both.
  assert.deepEqual(ask({ outcome: 'accepted', reason: 'LIMIT_EXCEEDED' }).ids, [])
  assert.deepEqual(countRows(database, 'flows', first.filter), {
    total: COUNTED,
    by: { accepted: COUNTED, rejected: FLOWS / 10, escalated: 0, ended: 0 },
    exact: false,
  })
  const few = ask({ outcome: 'rejected' }).filter
  assert.equal(countRows(database, 'flows', few).total, FLOWS / 10)
  database.close()
})
