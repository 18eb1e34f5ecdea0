/** What people are shown of a ledger in whose file somebody has written. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { openStore } from 'rubicon-runtime/open-store'
import { sha256, systemClock } from 'rubicon-runtime/system'
import { temporaryFolder } from '../../../../runtime/src/temporary-folder.test-support.ts'
import { served } from '../served.test-support.ts'
import { createLookupTable } from './all.ts'

type Change = (packed: Buffer) => readonly [payload: string | null, packed: Buffer | null]

const CHANGES: Readonly<Record<string, Change>> = {
  'a byte of it': (packed) => {
    const changed = Buffer.from(packed)
    changed.writeUInt8(changed.readUInt8(packed.length >> 1) ^ 1, packed.length >> 1)
    return [null, changed]
  },
  'the number of its dictionary': (packed) => [null, Buffer.from([9, ...packed.subarray(1)])],
  'all of it': () => [null, Buffer.alloc(0)],
  'steps that make megabytes of it': () => {
    const begun = Buffer.from([1, 190])
    return [null, Buffer.concat([begun, ...Array(4_000).fill(Buffer.from([255, 255, 0, 200]))])]
  },
  'JSON that ends early and goes on with more': () => ['null},{"kind":"commit"', null],
}

async function change(t: TestContext, how: Change): Promise<void> {
  const path = join(temporaryFolder(), 'store.db')
  const it = await served(t, { store: `sqlite:${path}` })
  const bot = await it.agent()
  const { dfid, context } = await it.open(bot)
  assert.equal((await it.propose(bot, { dfid, context })).status, 200)
  await it.close()
  const store = await openStore(`sqlite:${path}`, 'default', systemClock, 'read')
  t.after(() => store.close())
  const table = createLookupTable({ store, clock: systemClock, sha256 })
  const asked = { asker: 'person ada', own: null, params: { dfid, id: 'main' }, query: {} }
  const names = ['getFlow', 'listEpisodes', 'listTrajectoryEntries'] as const
  for (const name of names) assert.equal((await table[name](asked)).status, 200, name)
  changeDispatch(path, dfid, how)
  for (const name of names)
    await assert.rejects(table[name](asked), { code: 'HEAD_MISMATCH' }, `${name} shows it`)
}

function changeDispatch(path: string, dfid: string, how: Change): void {
  const database = new DatabaseSync(path)
  database.exec('DROP TRIGGER entries_are_frozen')
  const found = database.prepare(
    "SELECT row, packed FROM entries WHERE dfid = ? AND kind = 'dispatch'",
  )
  const entry = found.get(dfid)
  assert.ok(entry?.packed instanceof Uint8Array)
  const [payload, packed] = how(Buffer.from(entry.packed))
  const update = database.prepare('UPDATE entries SET payload = ?, packed = ? WHERE row = ?')
  update.run(payload, packed, Number(entry.row))
  database.close()
}

for (const [what, how] of Object.entries(CHANGES))
  test(`nobody is shown an entry that somebody changed: ${what}`, (t) => change(t, how))
