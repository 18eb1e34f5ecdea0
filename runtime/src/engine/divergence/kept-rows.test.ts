/**
 * Somebody who holds the database changes rows that follow from no entry: facts, sessions, counters of
 * agents, the World, the last checkpoint. The key beside the signing keys, the signed head and the root of
 * the World say what they were.
 */
import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { before, test } from 'node:test'
import { createOperator, createRuntime, type Runtime, type RuntimeOptions } from '../../compose.ts'
import { CONTRACT, exampleCapability } from '../../evidence/example.test-support.ts'
import { temporaryFolder } from '../../temporary-folder.test-support.ts'

const contract = {
  ...CONTRACT,
  safety_rules: { budget_per_agent: { window_s: 604_800, calls: '1000' } },
}

function optionsAt(folder: string): RuntimeOptions {
  return {
    store: `sqlite:${join(folder, 'store', 'store.db')}`,
    stateDirectory: join(folder, 'state'),
    capabilities: [exampleCapability(() => {})],
    sources: [{ source_id: 'exchange', label: 'trusted', paths: ['market.*'] }],
    background: false,
    report: () => {},
  }
}

const site = temporaryFolder()
const earlier = temporaryFolder()

before(async () => {
  const runtime = await createRuntime(optionsAt(site))
  await runtime.deploy(contract)
  const say = (value: string) => {
    return runtime.observe({ path: 'market.status', value, source: 'exchange' })
  }
  await say('shut')
  cpSync(site, earlier, { recursive: true })
  await say('open')
  await runtime.engine.handshake({ agent: 'refunds_bot' })
  const flow = await runtime.open({ agent: 'refunds_bot', trigger: 'ticket' })
  await flow.propose({ policy_kind: 'REFUND', params: { order: 'o-1', amount: '20.00' } })
  await runtime.close()
})

function copied(): { readonly folder: string; readonly path: string } {
  const folder = temporaryFolder()
  cpSync(site, folder, { recursive: true })
  return { folder, path: join(folder, 'store', 'store.db') }
}

function changed(sql: string): string {
  const { folder, path } = copied()
  const database = new DatabaseSync(path)
  assert.equal(Number(database.prepare(sql).run().changes) > 0, true, sql)
  database.close()
  return folder
}

async function startCode(folder: string): Promise<string | null> {
  const runtime = await createRuntime(optionsAt(folder))
  try {
    await runtime.start()
    return null
  } catch (error) {
    return (error as { readonly code: string }).code
  } finally {
    await runtime.close()
  }
}

const CHANGED: Readonly<Record<string, readonly [code: string, sql: string]>> = {
  'a fact says something else': [
    'STORE_DIVERGED',
    `UPDATE records SET body = replace(body, '"open"', '"shut"') WHERE record = 'observation'`,
  ],
  'a fact stands under another path': [
    'STORE_DIVERGED',
    "UPDATE records SET key = 'market.other' WHERE record = 'observation'",
  ],
  'a fact is gone': ['HEAD_MISMATCH', "DELETE FROM records WHERE record = 'observation'"],
  'a session is longer': [
    'STORE_DIVERGED',
    "UPDATE records SET body = json_set(body, '$.expires_at', '2999-01-01T00:00:00.000Z') WHERE record = 'session'",
  ],
  'the window of an agent is empty again': [
    'STORE_DIVERGED',
    "UPDATE counters SET used = 0 WHERE id LIKE 'window %'",
  ],
  'a trajectory ends earlier': [
    'STORE_DIVERGED',
    "UPDATE trajectories SET seq = seq - 1 WHERE trajectory = 'main'",
  ],
  'a World has another root': [
    'STORE_DIVERGED',
    "UPDATE trajectories SET world_root = replace(world_root, '1', '2') WHERE trajectory = 'main'",
  ],
  'a checkpoint is signed by somebody else': [
    'HEAD_MISMATCH',
    "UPDATE checkpoints SET note = substr(note, 1, length(note) - 8) || 'AAAAAA=' || char(10)",
  ],
}

for (const [what, [code, sql]] of Object.entries(CHANGED))
  test(`nothing starts where ${what}`, async () => {
    assert.equal(await startCode(changed(sql)), code)
  })

test('nothing starts where a fact is put back as it was, with the code that it had', async () => {
  const { folder, path } = copied()
  const database = new DatabaseSync(path)
  database.exec(`ATTACH '${join(earlier, 'store', 'store.db')}' AS earlier;
    INSERT OR REPLACE INTO records SELECT * FROM earlier.records WHERE record = 'observation'`)
  database.close()
  assert.equal(await startCode(folder), 'HEAD_MISMATCH')
})

async function readResource(folder: string): Promise<unknown> {
  const runtime: Runtime = await createRuntime(optionsAt(folder))
  try {
    await runtime.start()
    return await runtime.store.resources('main', [{ kind: 'refund', id: 'o-1' }])
  } finally {
    await runtime.close()
  }
}

test('no decision sees a resource that is not the one in the root of the World', async () => {
  assert.equal(((await readResource(copied().folder)) as unknown[]).length, 1)
  const diverged = { code: 'STORE_DIVERGED' }
  const value = `UPDATE resources SET value = '"90.00"'`
  for (const sql of [value, 'DELETE FROM resources', 'DELETE FROM world_nodes'])
    await assert.rejects(readResource(changed(sql)), diverged, sql)
})

test('an operator accepts rows as they are, and they are vouched for from then on', async () => {
  const [, sql] = CHANGED['a fact says something else'] ?? []
  const folder = changed(sql ?? '')
  const operator = await createOperator(optionsAt(folder))
  const accepted = await operator.acceptRestore('looked into it')
  await operator.stop()
  assert.equal(accepted.ok, true)
  assert.equal(await startCode(folder), null)
})
