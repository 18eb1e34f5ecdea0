import { deepEqual, equal, throws } from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { MAIN } from 'rubicon-kernel'
import { begin, buildNote, commit, putExecution, putFlow } from '../../ports/conformance/fixture.ts'
import type { RecordBodies } from '../../ports/record.ts'
import type { Write } from '../../ports/store.ts'
import { openTestStore } from './open-at.ts'
import { createTemporaryPath } from './testing.ts'

async function withDatabase(body: (database: DatabaseSync) => void): Promise<string> {
  const path = createTemporaryPath()
  const store = await openTestStore(path)
  await begin(store)
  await commit(store, [buildNote(MAIN, 1), putFlow(1), putExecution(1, 'a')])
  await store.close()
  const database = new DatabaseSync(path)
  database.exec('PRAGMA recursive_triggers = ON')
  body(database)
  database.close()
  return path
}

const ENVELOPE = {
  row: '99',
  tenant: "'other'",
  leaf: '99',
  trajectory: "'other'",
  seq: '99',
  id: "'other'",
  parent: 'NULL',
  v: '2',
  kind: "'commit'",
  at: "'2020-01-01T00:00:00.000Z'",
  dfid: "'other'",
  authority_seq: '99',
  payload_hash: "'other'",
  payload: "'{}'",
}

describe('the table of entries', () => {
  it('refuses every change but that a payload goes, and comes back where there is none (S3)', async () => {
    const path = await withDatabase((database) => {
      for (const [column, value] of Object.entries(ENVELOPE)) {
        const change = `UPDATE entries SET ${column} = ${value} WHERE leaf = 2`
        throws(() => database.exec(change), /never changed/, column)
      }
      const both = "UPDATE entries SET payload = NULL, at = 'x' WHERE leaf = 2"
      throws(() => database.exec(both), /never changed/)
      database.exec('UPDATE entries SET payload = NULL WHERE leaf = 2')
      database.exec("UPDATE entries SET payload = '{}' WHERE leaf = 2")
      throws(() => database.exec("UPDATE entries SET payload = '[]' WHERE leaf = 2"), /never/)
      database.exec('UPDATE entries SET payload = NULL WHERE leaf = 2')
    })
    const store = await openTestStore(path)
    equal((await store.listLeaves(2, 1))[0]?.payload, null)
    await store.close()
  })

  it('refuses to lose a row, also by REPLACE (S3)', async () => {
    await withDatabase((database) => {
      throws(() => database.exec('DELETE FROM entries'), /never deleted/)
      throws(() => database.exec('DELETE FROM entries WHERE leaf = 2'), /never deleted/)
      const replace = `INSERT OR REPLACE INTO entries SELECT * FROM entries WHERE leaf = 2`
      throws(() => database.exec(replace), /never deleted/)
      equal(database.prepare('SELECT count(*) AS n FROM entries').get()?.n, 3)
    })
  })

  it('has no index on a hash, and none that does not start with time or tenant', async () => {
    await withDatabase((database) => {
      const rows = database
        .prepare(`SELECT DISTINCT i.name AS name FROM sqlite_schema t, pragma_index_list(t.name) l,
          pragma_index_info(l.name) i WHERE t.type = 'table' AND t.name = 'entries'`)
        .all()
      const names = rows.map(({ name }) => String(name)).sort()
      deepEqual(names, ['dfid', 'kind', 'leaf', 'seq', 'tenant', 'trajectory'])
    })
  })
})

describe('the table of records', () => {
  it('keeps tenants of one file apart, and their holds', async () => {
    const path = createTemporaryPath()
    const ref = { record: 'lock', group: 'vault', key: 'flow:step' } as const
    for (const tenant of ['acme', 'other']) {
      const store = await openTestStore(path, { tenant })
      const absent = { ...ref, kind: 'record_version', version: null } as const
      const free = {
        kind: 'lock_free',
        resource: 'vault',
        amount: '1',
        capacity: null,
        holder: 'flow:other',
      } as const
      deepEqual(await store.listRecords('lock', 'vault', { limit: 9 }), [])
      const writes: Write[] = [{ kind: 'put_record', ...ref, body: lockOf(tenant) }]
      equal((await store.commit({ guards: [absent, free], writes })).ok, true)
      deepEqual(await store.commit({ guards: [free], writes }), { ok: false, failed: free })
      equal((await store.readRecord('lock', 'vault', 'flow:step'))?.body.agent_id, tenant)
      await store.close()
    }
    const first = await openTestStore(path)
    await commit(first, [{ kind: 'drop_record', ...ref }])
    await first.close()
    const other = await openTestStore(path, { tenant: 'other' })
    equal((await other.readRecord('lock', 'vault', 'flow:step'))?.body.agent_id, 'other')
    await other.close()
  })

  it('is read by its key alone, in both directions', async () => {
    await withDatabase((database) => {
      for (const order of ['key', 'key DESC']) {
        const [line, ...others] = planOf(
          database,
          `SELECT * FROM records WHERE tenant = 'acme' AND record = 'note' AND grp = 'flow'
            AND key > 'a' AND key <= 'b' ORDER BY ${order} LIMIT 5`,
        )
        const key = 'tenant=? AND record=? AND grp=? AND key>? AND key<?'
        equal(line, `SEARCH records USING INDEX sqlite_autoindex_records_1 (${key})`)
        deepEqual(others, [])
      }
    })
  })
})

describe('reading', () => {
  it('finds open flows and executions by their own index', async () => {
    await withDatabase((database) => {
      const plan = (sql: string) => planOf(database, sql)
      const flows = plan(`SELECT * FROM flows WHERE tenant = 'acme'
        AND state IN (SELECT value FROM json_each('["ACTIVE"]'))
        AND part IN ('running', 'waiting') ORDER BY dfid DESC LIMIT 5`)
      equal(flows[0], 'SEARCH flows USING INDEX flows_open (tenant=?)')
      const executions = plan(`SELECT * FROM executions WHERE tenant = 'acme'
        AND status IN (SELECT value FROM json_each('["UNKNOWN"]'))
        AND status NOT IN ('SUCCESS', 'FAILED', 'ABANDONED') ORDER BY dfid, step_id LIMIT 5`)
      equal(executions[0], 'SEARCH executions USING INDEX executions_open (tenant=?)')
    })
  })
})

function planOf(database: DatabaseSync, sql: string): string[] {
  const lines = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all()
  return lines.map(({ detail }) => String(detail))
}

function lockOf(agent_id: string): RecordBodies['lock'] {
  return {
    dfid: 'flow',
    step_id: 'step',
    agent_id,
    amount: '1',
    capacity: null,
    taken_at: '2026-01-31T09:30:00.000Z',
    expires_at: null,
    quarantined: false,
  }
}
