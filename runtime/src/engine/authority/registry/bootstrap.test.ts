import assert from 'node:assert/strict'
import { copyFileSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { createRuntime, type Runtime } from '../../../compose.ts'
import { temporaryFolder } from '../../../temporary-folder.test-support.ts'

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

test('a lost or damaged signing key is named, and no other is made beside a ledger', async () => {
  const folder = temporaryFolder()
  const keys = join(folder, 'state', 'keys')
  const start = async (): Promise<Runtime> => {
    const runtime = await createRuntime({
      store: `sqlite:${join(folder, 'store.db')}`,
      stateDirectory: join(folder, 'state'),
      background: false,
      report: () => {},
    })
    const started = await runtime.start().catch((error: unknown) => error)
    if (started instanceof Error) await runtime.close()
    if (started instanceof Error) throw started
    return runtime
  }
  await (await start()).close()
  for (const name of ['issuer.pem', 'kernel.pem', 'checkpoint.pem']) {
    const path = join(keys, name)
    const bytes = readFileSync(path)
    rmSync(path)
    await assert.rejects(start, { code: 'KEYS_LOST', message: new RegExp(`^${name} is not in `) })
    assert.equal(existsSync(path), false)
    // The mounted folder of secrets that is not mounted.
    symlinkSync(join(folder, 'nowhere'), path)
    await assert.rejects(start, { code: 'KEYS_LOST' })
    rmSync(path)
    writeFileSync(path, bytes.subarray(0, 40))
    await assert.rejects(start, { code: 'KEY_DAMAGED' })
    writeFileSync(path, bytes)
  }
  // Operators may have theirs with them: who asks for what it signs is told, and nothing is signed instead.
  const operator = join(keys, 'operator.pem')
  rmSync(operator)
  const runtime = await start()
  await assert.rejects(runtime.person('anna'), { code: 'PERSON_UNSIGNED' })
  await runtime.close()
  assert.equal(existsSync(operator), false)
  copyFileSync(join(keys, 'kernel.pem'), operator)
  await assert.rejects(start, { code: 'KEY_UNREGISTERED' })
})
