/** A registry signs what stands in its signed tree, and not what somebody who holds its database made of it. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { AUTHORITY, hashText } from 'rubicon-kernel'
import { nodeCrypto } from 'rubicon-verifier'
import {
  createEmptyDatabase,
  describeWithServer,
  getServer,
  parseDatabaseName,
} from '../../../../runtime/src/adapters/postgres/testing.ts'
import { createRuntime, openHttpManifest, type Runtime } from '../../../../runtime/src/compose.ts'
import type { ManifestSource } from '../../../../runtime/src/ports/manifest-source.ts'
import type { StoredEntry } from '../../../../runtime/src/ports/store.ts'
import { temporaryFolder } from '../../../../runtime/src/temporary-folder.test-support.ts'
import { buildRefundsContract, refundCapability } from '../../demo/refunds.ts'
import { createPeople, type KnownPerson } from '../../people/people.ts'
import { findLastEntry, insertCopy, type Sql } from '../gate/database-holder.test-support.ts'
import { startServer } from '../server.ts'

const AGENT = 'refunds_bot'
const TOKEN = 'a-token-of-the-mirror-0123456789'

type Scene = {
  readonly registry: Runtime
  readonly sql: Sql
  /** For a process elsewhere. */
  openSource(): ManifestSource
}

async function openScene(t: TestContext): Promise<Scene> {
  const store = await createEmptyDatabase()
  const registry = await createRuntime({
    store,
    stateDirectory: join(temporaryFolder(), 'state'),
    capabilities: [refundCapability([])],
    sinks: [],
    background: false,
    report: () => {},
  })
  await registry.deploy(buildRefundsContract())
  await registry.start()
  const { engine } = registry
  const known: KnownPerson[] = [
    { name: 'mirror', roles: ['auditor'], token_hash: hashText(TOKEN, nodeCrypto.sha256) },
  ]
  const people = createPeople(() => known, nodeCrypto.sha256)
  const started = await startServer({ engine, people, host: '127.0.0.1', report: () => {} }, 0)
  assert.ok(started.ok)
  const server = started.value
  const { url } = server
  t.after(async () => {
    await server.close()
    await registry.close()
  })
  const { signer, tenant } = engine.context
  const publicKey = signer.publicKey('checkpoint')?.public_key ?? ''
  const one = await getServer()
  await registry.open({ agent: AGENT, trigger: 'a ticket' })
  return {
    registry,
    sql: (text) => one.query(parseDatabaseName(store), text),
    openSource: () => openHttpManifest({ url, publicKey, tenant, token: TOKEN }),
  }
}

async function moveAgent({ engine }: Runtime, to: 'SUSPENDED' | 'ACTIVE'): Promise<void> {
  const move = { agent_id: AGENT, to, actor: 'operator', justification: 'review' } as const
  assert.ok((await engine.moveAgent(move)).ok)
}

const isResumed = ({ envelope, payload }: StoredEntry): boolean =>
  envelope.kind === 'lifecycle' && payload?.includes('"from":"SUSPENDED"') === true

/** The last entry of authority is gone, and nothing in the database says that there was one. */
async function removeLast({ engine }: Runtime, sql: Sql): Promise<void> {
  const { seq } = await engine.context.authorities.loadLatest()
  await sql(`DROP TRIGGER entries_are_kept ON entries;
    DROP TRIGGER entries_are_frozen ON entries;
    DELETE FROM entries WHERE trajectory = 'authority' AND seq = ${seq};
    UPDATE trajectories AS t SET (seq, id) = (SELECT e.seq, e.id FROM entries AS e
      WHERE e.trajectory = t.trajectory ORDER BY e.seq DESC LIMIT 1)`)
}

describeWithServer('a registry on Postgres', () => {
  it('signs no entry of an operator that somebody repeated in the database', async (t) => {
    const { registry, sql, openSource } = await openScene(t)
    for (const to of ['SUSPENDED', 'ACTIVE', 'SUSPENDED'] as const) await moveAgent(registry, to)
    const source = openSource()
    const last = await source.head()
    assert.equal((await source.entries(0, 100)).length, last + 1)
    await insertCopy(registry, sql, await findLastEntry(registry, AUTHORITY, isResumed))
    await assert.rejects(source.entries(0, 100), /the registry answered 5/)
    await assert.rejects(openSource().head(), /the registry answered 5/)
  })

  it('does not sign that a suspension is gone which somebody took out of the database', async (t) => {
    const { registry, sql, openSource } = await openScene(t)
    await moveAgent(registry, 'SUSPENDED')
    await removeLast(registry, sql)
    await assert.rejects(openSource().entries(0, 100), /the registry answered 5/)
  })

  it('signs no entry that somebody put in the place of a suspension', async (t) => {
    const { registry, sql, openSource } = await openScene(t)
    for (const to of ['SUSPENDED', 'ACTIVE', 'SUSPENDED'] as const) await moveAgent(registry, to)
    const resumed = await findLastEntry(registry, AUTHORITY, isResumed)
    await removeLast(registry, sql)
    await insertCopy(registry, sql, resumed)
    await assert.rejects(openSource().entries(0, 100), /the registry answered 5/)
  })
})
