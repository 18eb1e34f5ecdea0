import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { temporaryFolder } from '../../../../runtime/src/temporary-folder.test-support.ts'
import { get, post, refund, type Served, served } from '../served.test-support.ts'

async function playDay(it: Served): Promise<void> {
  const agent = await it.agent()
  for (const amount of ['20.00', '1200.00', '30.00']) {
    const flow = await it.open(agent)
    const path = `/v1/flows/${flow.dfid}/proposals?wait_ms=0`
    await post(agent, path, { body: refund(flow, amount) })
  }
}

/** What a failing disk does beside a running server. */
function damageEntry(path: string): void {
  const database = new DatabaseSync(path)
  const triggers = database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'entries'")
    .all()
  for (const { name } of triggers) database.exec(`DROP TRIGGER "${String(name)}"`)
  database.exec(`UPDATE entries SET packed = x'02ff00ffff' WHERE row =
    (SELECT max(row) FROM entries WHERE kind = 'dispatch')`)
  database.close()
}

test('plain lists and the overview are answered beside an entry that cannot be read', async (t) => {
  const path = join(temporaryFolder(), 'ledger.db')
  const it = await served(t, { store: `sqlite:${path}`, background: false })
  await playDay(it)
  damageEntry(path)
  const ann = it.person('ann', 'auditor')
  // Meanwhile the index comes up to the entry; until then, too, the rows are there.
  for (let asked = 0; asked < 1_000; asked++) {
    const { flows, counts, indexed } = (await get(ann, '/v1/flows?counts=true')).body
    assert.deepEqual([flows.length, counts], [3, null])
    if (indexed.problem !== null) break
  }
  for (const [list, rows] of [
    ['flows', 3],
    ['executions', 2],
    ['escalations', 1],
  ] as const) {
    const { status, body } = await get(ann, `/v1/${list}?counts=true`)
    assert.equal(status, 200, list)
    assert.equal(body[list].length, rows, list)
    assert.equal(body.counts, null, list)
    assert.match(body.indexed.problem, /^leaf \d+ cannot be read$/)
    assert.equal(body.indexed.problem, `leaf ${body.indexed.leaf} cannot be read`)
  }
  const { status, body } = await get(ann, '/v1/overview')
  assert.equal(status, 200)
  assert.match(body.indexed.problem, /cannot be read$/)
  assert.ok(body.indexed.leaf < body.indexed.size)
  // What came before the entry is still found.
  const found = (await get(ann, '/v1/flows?words=20.00')).body
  assert.ok(found.flows.length > 0)
  assert.match(found.indexed.problem, /cannot be read$/)
  // Nothing is written to a store that somebody else has written to.
  await assert.rejects(it.close(), { code: 'HEAD_MISMATCH' })
})

test('where no file can be made the index is in memory, and lists say so', async (t) => {
  // A folder in the place of the file can be neither opened nor deleted, whoever runs the test.
  const path = join(temporaryFolder(), 'search.db')
  mkdirSync(path)
  writeFileSync(join(path, 'kept'), '')
  const it = await served(t, { parts: { search: { path, isAlone: false } } })
  await playDay(it)
  const ann = it.person('ann', 'auditor')
  for (const list of ['flows', 'executions', 'escalations']) {
    const { status, body } = await get(ann, `/v1/${list}?counts=true`)
    assert.equal(status, 200, list)
    assert.match(body.indexed.problem, /^its file cannot be written/)
    assert.equal(body.counts.total, body[list].length, list)
  }
  assert.equal((await get(ann, '/v1/flows?words=1200')).body.flows.length, 1)
  const { body } = await get(ann, '/v1/overview')
  assert.match(body.indexed.problem, /^its file cannot be written/)
})
