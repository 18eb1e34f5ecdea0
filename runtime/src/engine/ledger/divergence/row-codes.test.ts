/**
 * Somebody who holds the database changes what follows from no entry, or what the fold of no flow says:
 * facts, sessions, windows of agents, the World, the ends of trajectories, checkpoints, tiles (I18).
 */
import assert from 'node:assert/strict'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { before, test } from 'node:test'
import { createRuntime, type Runtime } from '../../../compose.ts'
import { CONTRACT, exampleCapability } from '../../../evidence/example.test-support.ts'
import { temporaryFolder } from '../../../temporary-folder.test-support.ts'

const contract = {
  ...CONTRACT,
  permissions: {
    policy_kinds: ['REFUND'],
    limits: [{ id: 'open', kind: 'state_match', field: 'market.status', expected: 'open' }],
  },
  safety_rules: { budget_per_agent: { window_s: 604_800, calls: '1000' } },
}

function openAt(folder: string, told: string[] = []): Promise<Runtime> {
  return createRuntime({
    store: `sqlite:${join(folder, 'store', 'store.db')}`,
    stateDirectory: join(folder, 'state'),
    capabilities: [exampleCapability(() => {})],
    sources: [{ source_id: 'exchange', label: 'trusted', paths: ['market.*'] }],
    background: false,
    report: (line) => void told.push(line),
  })
}

const site = temporaryFolder()
let token = ''

before(async () => {
  const runtime = await openAt(site)
  await runtime.deploy(contract)
  await runtime.observe({ path: 'market.status', value: 'open', source: 'exchange' })
  await runtime.observe({ path: 'market.other', value: 'shut', source: 'exchange' })
  const shaken = await runtime.engine.handshake({ agent: 'refunds_bot' })
  token = shaken.ok ? shaken.value.session_token : ''
  assert.equal((await refund(runtime, 'o-1')).outcome, 'ACCEPTED')
  await runtime.engine.checkpoint()
  await runtime.close()
})

async function refund(runtime: Runtime, order: string) {
  const flow = await runtime.open({ agent: 'refunds_bot', trigger: order })
  return flow.propose({ policy_kind: 'REFUND', params: { order, amount: '20.00' } })
}

function changed(...statements: readonly string[]): string {
  const folder = temporaryFolder()
  cpSync(site, folder, { recursive: true })
  const database = new DatabaseSync(join(folder, 'store', 'store.db'))
  for (const sql of statements)
    assert.equal(Number(database.prepare(sql).run().changes) > 0, true, sql)
  database.close()
  return folder
}

async function use<T>(
  folder: string,
  work: (runtime: Runtime) => Promise<T>,
): Promise<{ readonly done: T; readonly told: string }> {
  const told: string[] = []
  const runtime = await openAt(folder, told)
  try {
    await runtime.start()
    return { done: await work(runtime), told: told.join('\n') }
  } finally {
    await runtime.close()
  }
}

async function startCode(folder: string): Promise<string | null> {
  try {
    await use(folder, async () => {})
    return null
  } catch (error) {
    return (error as { readonly code: string }).code
  }
}

test('what nobody touched is believed, and nothing is told of it', async () => {
  const { done, told } = await use(
    changed("UPDATE records SET version = version WHERE record = 'session'"),
    async (runtime) => [
      (await refund(runtime, 'o-2')).outcome,
      (await runtime.engine.session(token)).ok,
      (await runtime.store.readResources('main', [{ kind: 'refund', id: 'o-1' }])).length,
    ],
  )
  assert.deepEqual(done, ['ACCEPTED', true, 1])
  assert.doesNotMatch(told, /STORE_DIVERGED/)
})

const FACTS: Readonly<Record<string, string>> = {
  'was never said': `UPDATE records SET body = replace(body, '"open"', '"open "') WHERE key = 'market.status'`,
  'was said of another path': `UPDATE records SET (body, version, code) =
    (SELECT body, version, code FROM records WHERE key = 'market.other') WHERE key = 'market.status'`,
  'carries no code': "UPDATE records SET code = NULL WHERE key = 'market.status'",
}

for (const [what, sql] of Object.entries(FACTS))
  test(`nothing is decided on a fact that ${what}`, async () => {
    const { done, told } = await use(changed(sql), async (runtime) => {
      const refused = await refund(runtime, 'o-2')
      await runtime.observe({ path: 'market.status', value: 'open', source: 'exchange' })
      return [refused.outcome, (await refund(runtime, 'o-3')).outcome]
    })
    assert.deepEqual(done, ['REJECTED', 'ACCEPTED'])
    assert.match(told, /STORE_DIVERGED: record `observation state market\.status`/)
  })

test('a session that somebody made longer is nobody’s', async () => {
  const later = "json_set(body, '$.expires_at', '2999-01-01T00:00:00.000Z')"
  const folder = changed(`UPDATE records SET body = ${later} WHERE record = 'session'`)
  const { done, told } = await use(folder, (runtime) => runtime.engine.session(token))
  assert.equal(done.ok, false)
  assert.match(told, /STORE_DIVERGED: record `session/)
})

test('nothing is taken of a window of an agent that somebody emptied', async () => {
  const folder = changed("UPDATE counters SET used = 0 WHERE id LIKE 'window %'")
  await assert.rejects(
    use(folder, (runtime) => refund(runtime, 'o-2')),
    { code: 'STORE_DIVERGED' },
  )
})

test('no decision sees a resource that is not of the root of the World', async () => {
  const read = (runtime: Runtime) =>
    runtime.store.readResources('main', [{ kind: 'refund', id: 'o-1' }])
  for (const sql of [
    `UPDATE resources SET value = '"90.00"'`,
    'DELETE FROM resources',
    'DELETE FROM world_nodes',
  ])
    await assert.rejects(use(changed(sql), read), { code: 'STORE_DIVERGED' }, sql)
})

const REFUSED: Readonly<Record<string, readonly [code: string, sql: string]>> = {
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

for (const [what, [code, sql]] of Object.entries(REFUSED))
  test(`nothing starts where ${what}`, async () => {
    assert.equal(await startCode(changed(sql)), code)
  })

test('nothing starts where a tile is gone', async () => {
  const folder = changed("UPDATE records SET version = version WHERE record = 'session'")
  await use(folder, async (runtime) => {
    const opened = { agent: 'refunds_bot', trigger: 'one more leaf' }
    await Promise.all(Array.from({ length: 256 }, () => runtime.open(opened)))
  })
  const database = new DatabaseSync(join(folder, 'store', 'store.db'))
  assert.equal(Number(database.prepare('DELETE FROM tiles').run().changes), 1)
  database.close()
  assert.equal(await startCode(folder), 'HEAD_MISMATCH')
})

test('a checkpoint that the store lost is put back, and told', async () => {
  const { done, told } = await use(changed('DELETE FROM checkpoints'), ({ store }) =>
    store.readCheckpoint(),
  )
  assert.ok(done !== null && done.size > 5)
  assert.match(told, /STORE_DIVERGED: the store had lost its checkpoint/)
})

test('under another key than they were written under, rows count for nothing', async () => {
  const folder = changed("UPDATE records SET version = version WHERE record = 'session'")
  writeFileSync(join(folder, 'state', 'keys', 'rows.key'), new Uint8Array(32))
  const { done } = await use(folder, (runtime) => runtime.engine.session(token))
  assert.equal(done.ok, false)
})
