/** What the database itself forbids, to the role that writes and to the owner. */
import { deepEqual, rejects } from 'node:assert/strict'
import { it } from 'node:test'
import { MAIN } from 'rubicon-kernel'
import { begin, buildNote, commit, putExecution, putFlow } from '../../ports/conformance/fixture.ts'
import {
  createFreshDatabase,
  describeWithServer,
  getServer,
  open,
  parseDatabaseName,
} from './testing.ts'

async function filled(): Promise<(sql: string) => Promise<readonly Record<string, unknown>[]>> {
  const address = await createFreshDatabase()
  const store = await open(address)
  await begin(store)
  await commit(store, [buildNote(MAIN, 1), putFlow(1), putExecution(1, 'a')])
  await store.integrate()
  await store.close()
  const one = await getServer()
  return (sql) => one.query(parseDatabaseName(address), sql)
}

const ENVELOPE = {
  row: '99',
  tenant: "'other'",
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
  authority_head: '99',
  seal: "'other'",
}

const AS_WRITER = 'SET ROLE rubicon_writer;'

describeWithServer('the ledger', () => {
  it('refuses every change but that a payload goes, and comes back where there is none, also to its owner (S3)', async () => {
    const sql = await filled()
    await sql('ALTER TABLE entries ALTER row DROP IDENTITY')
    for (const [column, value] of Object.entries(ENVELOPE)) {
      const change = `UPDATE entries SET ${column} = ${value} WHERE seq = 1`
      await rejects(sql(change), /never changed/, column)
    }
    const both = "UPDATE entries SET payload = NULL, at = 'x' WHERE seq = 1"
    await rejects(sql(both), /never changed/)
    await sql('UPDATE entries SET payload = NULL WHERE seq = 1')
    await sql("UPDATE entries SET payload = '{}' WHERE seq = 1")
    await rejects(sql("UPDATE entries SET payload = '[]' WHERE seq = 1"), /never changed/)
    await rejects(sql('UPDATE leaves SET leaf = 99 WHERE leaf = 2'), /never changed/)
    const replica = 'SET session_replication_role = replica; DELETE FROM entries'
    await rejects(sql(replica), /never deleted/)
  })

  it('refuses to lose a row, also to its owner (S3)', async () => {
    const sql = await filled()
    for (const table of ['entries', 'leaves']) {
      await rejects(sql(`DELETE FROM ${table}`), /never deleted/)
      await rejects(sql(`TRUNCATE ${table}`), /never deleted/)
      await rejects(sql(`TRUNCATE ${table} CASCADE`), /never deleted/)
    }
    deepEqual(await sql('SELECT count(*)::integer AS n FROM entries'), [{ n: 3 }])
  })

  it('gives the role that writes no way to change or lose anything', async () => {
    const sql = await filled()
    const { row: _, payload: __, ...columns } = ENVELOPE
    const refused = Object.keys(columns).map((column) => {
      return `UPDATE entries SET ${column} = ${column} WHERE seq = 1`
    })
    refused.push(
      'DELETE FROM entries',
      'TRUNCATE entries',
      'UPDATE leaves SET leaf = leaf',
      'DELETE FROM leaves',
      'TRUNCATE leaves',
      'DELETE FROM checkpoints',
      'DELETE FROM trajectories',
      'DELETE FROM flows',
      'DELETE FROM engines',
      'ALTER TABLE entries DISABLE TRIGGER ALL',
      'DROP TABLE entries',
      'CREATE TABLE other (a text)',
    )
    for (const text of refused) {
      await rejects(sql(`${AS_WRITER} ${text}`), /permission denied|must be owner/, text)
    }
    await rejects(sql(`${AS_WRITER} UPDATE entries SET payload = 'x' WHERE seq = 1`), /never/)
    await sql(`${AS_WRITER} UPDATE entries SET payload = NULL WHERE seq = 1`)
  })

  it('numbers a place and a position once', async () => {
    const sql = await filled()
    const again = `INSERT INTO entries (tenant, trajectory, seq, id, v, kind, at, payload_hash,
      authority_head) SELECT tenant, trajectory, seq, id, v, kind, at, payload_hash, 0 FROM entries`
    await rejects(sql(again), /unique/)
    await rejects(sql("INSERT INTO leaves VALUES ('acme', 0, 99)"), /unique/)
    await rejects(sql("INSERT INTO leaves VALUES ('acme', 99, 1)"), /unique/)
  })

  it('is written by that role, not by its owner', async () => {
    const address = await createFreshDatabase()
    const store = await open(address)
    const one = await getServer()
    await one.query(parseDatabaseName(address), 'REVOKE INSERT ON entries FROM rubicon_writer')
    await rejects(begin(store), /permission denied/)
  })

  it('has no index on a hash', async () => {
    const sql = await filled()
    const rows = await sql(`SELECT DISTINCT a.attname::text AS name FROM pg_index i
      JOIN pg_attribute a ON a.attrelid = i.indexrelid WHERE i.indrelid = 'entries'::regclass`)
    const names = rows.map(({ name }) => String(name)).sort()
    deepEqual(names, ['dfid', 'kind', 'row', 'seq', 'tenant', 'trajectory'])
  })
})
