import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  createFreshDatabase,
  describeWithServer,
  getServer,
  parseDatabaseName,
} from '../../adapters/postgres/testing.ts'
import { exampleRuntime } from '../../evidence/example.test-support.ts'

const SECRET = 'the-words-of-a-customer'
/** What the guide of erasing tells operators to run. */
const REWRITE = 'VACUUM FULL entries, flows, executions, records'

describeWithServer('what is erased on Postgres', () => {
  test('no query finds it, and no file of the tables has it once they are written anew', async () => {
    const address = await createFreshDatabase()
    const server = await getServer()
    const query = (text: string) => server.query(parseDatabaseName(address), text)
    const example = await exampleRuntime({ store: address })
    const flow = await example.runtime.open({
      agent: 'refunds_bot',
      trigger: SECRET,
      steps: 'many',
    })
    await flow.note(`${SECRET} ${'x'.repeat(300)}`)
    await flow.close()
    await example.refund('1.00')
    assert.ok((await countInFiles(query)) > 0, 'the words are looked for where they stand')
    const { oversight } = example.runtime.engine
    const done = await oversight.erase({ dfid: flow.dfid, reason: 'asked for' })
    assert.ok(done.ok)
    for (const table of ['entries', 'flows', 'executions', 'records'])
      assert.deepEqual(await query(findWords(table)), [], table)
    await example.close()
    await query(REWRITE)
    assert.equal(await countInFiles(query), 0)
  })
})

type Query = (text: string) => Promise<readonly Record<string, unknown>[]>

function findWords(table: string): string {
  return `SELECT 1 FROM ${table} AS t WHERE t::text LIKE '%${SECRET}%'`
}

/** In all files of the database, as they are on the disk after a checkpoint. */
async function countInFiles(query: Query): Promise<number> {
  await query('CHECKPOINT')
  const [place] = await query(
    `SELECT current_setting('data_directory') AS folder, oid FROM pg_database
      WHERE datname = current_database()`,
  )
  const folder = join(String(place?.folder), 'base', String(place?.oid))
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'))
  return texts.reduce((sum, text) => sum + text.split(SECRET).length - 1, 0)
}
