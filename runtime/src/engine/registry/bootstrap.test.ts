import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { createRuntime, type Runtime } from '../../compose.ts'
import { temporaryFolder } from '../../temporary-folder.test-support.ts'

/** Rewrites the version of every entry, as a release of before would have written it. */
function writtenBefore(path: string): void {
  const database = new DatabaseSync(path)
  const triggers = database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'entries'")
    .all()
  for (const { name } of triggers) database.exec(`DROP TRIGGER ${String(name)}`)
  database.exec('UPDATE entries SET v = 1')
  database.close()
}

test('a store in the format of before is refused at start, and is not written to', async () => {
  const folder = temporaryFolder()
  const path = join(folder, 'store.db')
  const start = async (): Promise<Runtime> => {
    const runtime = await createRuntime({
      store: `sqlite:${path}`,
      stateDirectory: join(folder, 'state'),
      background: false,
      report: () => {},
    })
    await runtime.start().finally(() => runtime.close())
    return runtime
  }
  await start()
  writtenBefore(path)
  await assert.rejects(start, /written in `rubicon\/1`/)
  const database = new DatabaseSync(path)
  assert.deepEqual({ ...database.prepare('SELECT min(v) AS v FROM entries').get() }, { v: 1 })
  database.close()
})
