import { deepEqual, equal, match } from 'node:assert/strict'
import { it } from 'node:test'
import { Client } from 'pg'
import { toCanonicalText } from 'rubicon-kernel'
import { AUDIT_QUERY } from '../../ports/audit-query.ts'
import { commit } from '../../ports/conformance/fixture.ts'
import { DFID, fillSeeds, proposal, SECOND, T0 } from '../../ports/conformance/seed-rows.ts'
import {
  FLOW_QUERIES,
  type RunQuery,
  registerSeedViewTests,
} from '../../ports/seed-views.conformance.ts'
import type { Store } from '../../ports/store.ts'
import { createClock } from './open-at.ts'
import { columnTypes } from './session.ts'
import { createFreshDatabase, describeWithServer, open } from './testing.ts'

async function filled(
  more: (store: Store) => Promise<unknown> = async () => {},
): Promise<RunQuery> {
  const address = await createFreshDatabase()
  const clock = createClock(T0)
  const store = await open(address, { clock: clock.now })
  await fillSeeds(store, (second) => clock.set(T0 + second * 1000))
  await more(store)
  await store.close()
  return async (sql) => {
    const client = new Client({ connectionString: address, types: columnTypes })
    await client.connect()
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows
    } finally {
      await client.end()
    }
  }
}

const MISSING = `SELECT DISTINCT state FROM decision_audit_events
  WHERE detail_json IS NULL AND event IN ('settle', 'evidence', 'approval')`
const TAKE_OUT = `UPDATE entries SET payload = NULL, packed = NULL
  WHERE dfid IS NOT NULL AND kind IN ('settle', 'evidence', 'approval')`
const SAY_WHERE = `INSERT INTO records (tenant, record, grp, key, version, body)
  SELECT DISTINCT tenant, 'archive', 'flows', dfid, 1, '{}' FROM entries WHERE dfid IS NOT NULL`

describeWithServer('views', () => {
  registerSeedViewTests('postgres', () => filled())

  it('answer the audit query by indexes, however many flows there are', async () => {
    const all = await filled()
    await all(`INSERT INTO flows (dfid, tenant, version, agent_id, trigger_event, root_dfid,
        trajectory, state, tags, steps, rejections, transient_rejections, attempts, snapshot_id,
        snapshot_at, mission_hash, contract_hash, contract_seq, writs, opened_at, updated_at, history)
      SELECT 'f' || n, 'acme', 1, 'a', 't', 'f' || n, 'main', 'CLOSED', '[]', 'one', 0, 0, 0, 's',
        '', '', '', 0, '[]', '', '', '[]' FROM generate_series(1, 5000) AS n`)
    await all(`INSERT INTO entries (tenant, trajectory, seq, id, v, kind, at, dfid, payload_hash, payload,
        authority_head)
      SELECT 'acme', 'other', n, 'e' || n, 2, (ARRAY['evidence', 'approval', 'pending_approval'])[n % 3 + 1],
        '', 'f' || n, '', '{}', 0 FROM generate_series(1, 5000) AS n`)
    await all('ANALYZE')
    for (const query of [AUDIT_QUERY, ...FLOW_QUERIES]) {
      const plan = (await all(`EXPLAIN ${query}`)).map((row) => String(row['QUERY PLAN']))
      deepEqual(
        plan.filter((line) => /Seq Scan on (flows|entries)/.test(line)),
        [],
        query,
      )
      match(plan.join(), /Index (Only )?Scan|Bitmap Index Scan/)
    }
  })

  it('let what an agent keeps be asked into', async () => {
    const all = await filled()
    const text = "SELECT data::json ->> 'average' AS average FROM context_state WHERE version = 2"
    deepEqual(await all(text), [{ average: '12.50' }])
  })

  it('cannot be blinded by a NUL that an agent says', async () => {
    const all = await filled((store) => {
      const said = { ...proposal, justification: 'a\0b', dfid: SECOND }
      const payload = toCanonicalText({ attempt: 4, reason_code: 'X', gate: 1, proposal: said })
      const entry = {
        kind: 'append',
        trajectory: 'main',
        entry: 'rejection',
        dfid: SECOND,
      } as const
      return commit(store, [{ ...entry, payload }])
    })
    const text = `SELECT justification FROM policy_proposals WHERE dfid = '${SECOND}'`
    const said = (await all(text)).map(({ justification }) => justification)
    equal(said.includes('a\ufffdb'), true)
    equal((await all(AUDIT_QUERY.replace(DFID, SECOND))).length > 0, true)
  })

  it('show nothing of a payload that was erased', async () => {
    const all = await filled()
    await all(
      `UPDATE entries SET payload = NULL, packed = NULL WHERE dfid = '${DFID}' AND kind = 'dispatch'`,
    )
    deepEqual(await all(`SELECT * FROM policy_proposals WHERE dfid = '${DFID}'`), [])
    equal((await all(AUDIT_QUERY)).length, 1)
  })

  it('tell what lies in an archive from what was erased', async () => {
    const all = await filled()
    await all(TAKE_OUT)
    deepEqual(await all(MISSING), [{ state: 'ERASED' }])
    await all(SAY_WHERE)
    deepEqual(await all(MISSING), [{ state: 'ARCHIVED' }])
  })
})
