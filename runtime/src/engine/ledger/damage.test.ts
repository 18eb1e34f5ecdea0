import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { exampleRuntime } from '../../evidence/example.test-support.ts'

/** What somebody with the file and no scruples can do beside a running engine. */
function rot(path: string, change: string): void {
  const database = new DatabaseSync(path)
  const triggers = database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'entries'")
    .all()
  for (const { name } of triggers) database.exec(`DROP TRIGGER "${String(name)}"`)
  database.exec(change)
  database.close()
}

const CHANGED = `UPDATE entries SET packed = NULL, payload = replace(
      (SELECT l.payload FROM ledger l WHERE l.row = entries.row), '20.00', '90.00')
      WHERE kind = 'dispatch'`

const CHANGES: Readonly<Record<string, string>> = {
  'says something else': CHANGED,
  'says it twice': "UPDATE entries SET payload = '{}' WHERE kind = 'dispatch'",
  'cannot be unpacked': "UPDATE entries SET packed = x'02ff00ffff' WHERE kind = 'dispatch'",
}

for (const [what, change] of Object.entries(CHANGES))
  test(`a record that ${what} under the engine is never signed, and nothing is decided on it`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rubicon-damage-'))
    const path = join(folder, 'ledger.db')
    const example = await exampleRuntime({ store: `sqlite:${path}`, background: false })
    await example.refund('20.00')
    rot(path, change)
    const { engine } = example.runtime
    await assert.rejects(engine.scrub(), /at leaf \d+: the payload does not fit its hash/)
    await assert.rejects(example.refund('1.00'), /not the one that was signed/)
    await assert.rejects(engine.checkpoint(), /not the one that was signed/)
    assert.equal(engine.status.damaged, true)
    assert.equal(example.calls(), 1)
    assert.equal(await example.runtime.store.readCheckpoint(), null)
    await example.close()
    rmSync(folder, { recursive: true, force: true })
  })

test('a scrub says how far it is, and looks at what came since', async () => {
  const example = await exampleRuntime({ background: false })
  await example.refund('20.00')
  const { engine, store } = example.runtime
  const size = await store.countLeaves()
  assert.deepEqual(await engine.scrub(), { checked: size, of: size, passes: 1 })
  await example.refund('20.00')
  const more = await store.countLeaves()
  assert.deepEqual(await engine.scrub(), { checked: more, of: more, passes: 1 })
  assert.deepEqual(engine.status.scrub, { checked: more, of: more, passes: 1 })
  await example.close()
})
