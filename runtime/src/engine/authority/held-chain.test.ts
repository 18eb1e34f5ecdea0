import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { AUTHORITY, type Entry, sealEntry } from 'rubicon-kernel'
import { sha256 } from '../../adapters/system/sha256.ts'
import { createRuntime } from '../../compose.ts'
import { CONTRACT, exampleCapability } from '../../evidence/example.test-support.ts'
import { temporaryFolder } from '../../temporary-folder.test-support.ts'
import { HeldChain } from './held-chain.ts'

const AT = '2026-03-02T10:00:00.000Z'

function next(last: Entry | undefined, said: string): Entry {
  const head = last && { seq: last.envelope.seq, id: last.id, at: AT }
  const draft = { tenant: 't', trajectory: AUTHORITY, kind: 'lifecycle', payload: said } as const
  return sealEntry(draft, head, AT, sha256)
}

const first = next(undefined, '{"to":"ACTIVE"}')
const second = next(first, '{"to":"SUSPENDED"}')

test('what was read once is what is read again', () => {
  const chain = new HeldChain(sha256)
  chain.check([first, second])
  chain.check([first, second, next(second, '{"to":"ACTIVE"}')])
})

const CHANGED: Readonly<Record<string, readonly Entry[]>> = {
  'another entry': [next(first, '{"to":"ACTIVE"}')],
  'other words': [{ ...second, payload: '{"to":"ACTIVE"}' }],
  'no words': [{ ...second, payload: null }],
  'another envelope': [{ ...second, envelope: { ...second.envelope, kind: 'revocation' } }],
}

for (const [what, changed] of Object.entries(CHANGED))
  test(`a second reading with ${what} is found`, () => {
    const chain = new HeldChain(sha256)
    chain.check([first, second])
    assert.throws(() => chain.check(changed), { code: 'HEAD_MISMATCH' })
  })

async function site() {
  const folder = temporaryFolder()
  const options = {
    store: `sqlite:${join(folder, 'store', 'store.db')}`,
    stateDirectory: join(folder, 'state'),
    capabilities: [exampleCapability(() => {})],
    background: false,
    report: () => {},
  }
  const first = await createRuntime(options)
  await first.deploy(CONTRACT)
  await first.close()
  const database = new DatabaseSync(join(folder, 'store', 'store.db'))
  const triggers = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all()
  for (const { name } of triggers) database.exec(`DROP TRIGGER ${String(name)}`)
  const runtime = await createRuntime(options)
  const open = () => runtime.open({ agent: 'refunds_bot', trigger: 'now' })
  return { runtime, database, open }
}

test('nothing is decided on authority that somebody changed while it runs', async () => {
  const { runtime, database, open } = await site()
  const engine = await runtime.start()
  await open()
  database.exec(
    "UPDATE entries SET payload = replace(payload, 'jane.doe', 'john.doe') WHERE trajectory = 'authority'",
  )
  // As after a transaction that failed.
  engine.context.authorities.drop()
  await assert.rejects(engine.context.authorities.loadLatest(), { code: 'HEAD_MISMATCH' })
  await assert.rejects(open(), { code: 'HEAD_MISMATCH' })
  database.close()
  await runtime.close()
})

test('nothing is written behind an entry of somebody else', async () => {
  const { runtime, database, open } = await site()
  await open()
  const columns = database.prepare('SELECT name FROM pragma_table_info(?)').all('entries')
  const other: Readonly<Record<string, string>> = {
    leaf: '(SELECT max(leaf) + 1 FROM entries)',
    seq: '1000',
    id: `'sha256:${'0'.repeat(64)}'`,
  }
  const names = columns.map(({ name }) => String(name)).filter((name) => name !== 'row')
  const values = names.map((name) => other[name] ?? name)
  database.exec(
    `INSERT INTO entries (${names.join()}) SELECT ${values.join()} FROM entries WHERE trajectory = 'main' LIMIT 1`,
  )
  await assert.rejects(open(), { code: 'HEAD_MISMATCH' })
  database.close()
  await runtime.close()
})
