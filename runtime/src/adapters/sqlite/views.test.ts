import { deepEqual } from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { after, it } from 'node:test'
import { AUDIT_QUERY } from '../../ports/audit-query.ts'
import { fillSeeds, T0 } from '../../ports/conformance/seed-rows.ts'
import {
  FLOW_QUERIES,
  type RunQuery,
  registerSeedViewTests,
} from '../../ports/seed-views.conformance.ts'
import { createClock, openTestStore } from './open-at.ts'
import { createTemporaryPath } from './testing.ts'

/** JSON of a column, and the steps (`s`) that a payload is unpacked in. */
const OF_ONE_ROW = /VIRTUAL|^SCAN (?:CONSTANT ROW|s)$/

const databases: DatabaseSync[] = []
after(() => {
  for (const database of databases) database.close()
})

/** `change`: as somebody does who holds the file. */
async function prepare(change = ''): Promise<RunQuery> {
  const path = createTemporaryPath()
  const clock = createClock(T0)
  const store = await openTestStore(path, { clock: clock.now })
  await fillSeeds(store, (second) => clock.set(T0 + second * 1000))
  await store.close()
  const writer = new DatabaseSync(path)
  writer.exec(change)
  writer.close()
  const database = new DatabaseSync(path, { readOnly: true })
  database.exec('PRAGMA trusted_schema = OFF')
  databases.push(database)
  return async (sql) =>
    database
      .prepare(sql)
      .all()
      .map((row) => ({ ...row }))
}

registerSeedViewTests('sqlite', () => prepare())

it('the audit query goes by indexes, and so does what is asked of one flow', async () => {
  const all = await prepare()
  for (const query of [AUDIT_QUERY, ...FLOW_QUERIES]) {
    const plan = (await all(`EXPLAIN QUERY PLAN ${query}`)).map(({ detail }) => String(detail))
    deepEqual(
      plan.filter((line) => line.startsWith('SCAN') && !OF_ONE_ROW.test(line)),
      [],
      query,
    )
  }
})

it('what an agent keeps can be asked into', async () => {
  const all = await prepare()
  const text = `SELECT data ->> '$.average' AS average FROM context_state WHERE version = 2`
  deepEqual(await all(text), [{ average: '12.50' }])
})

const MISSING = `SELECT DISTINCT state FROM decision_audit_events
  WHERE detail_json IS NULL AND event IN ('settle', 'evidence', 'approval')`
const TAKE_OUT = `UPDATE entries SET payload = NULL, packed = NULL
  WHERE dfid IS NOT NULL AND kind IN ('settle', 'evidence', 'approval')`
const SAY_WHERE = `INSERT INTO records (tenant, record, grp, key, version, body)
  SELECT DISTINCT tenant, 'archive', 'flows', dfid, 1, '{}' FROM entries WHERE dfid IS NOT NULL`

it('what lies in an archive is told from what was erased', async () => {
  deepEqual(await (await prepare(TAKE_OUT))(MISSING), [{ state: 'ERASED' }])
  deepEqual(await (await prepare(`${TAKE_OUT}; ${SAY_WHERE}`))(MISSING), [{ state: 'ARCHIVED' }])
})
