import { deepEqual, equal, rejects } from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import type { Store } from '../../ports/store.ts'
import { openTestStore } from './open-at.ts'
import { createTemporaryPath } from './testing.ts'

type Shared = {
  readonly reader: Store
  /** As another process does, at once. */
  readonly setCounter: (used: number) => void
}

async function share(t: TestContext): Promise<Shared> {
  const path = createTemporaryPath()
  const owner = await openTestStore(path)
  await owner.commit({ guards: [], writes: [{ kind: 'count', id: 'c', by: 1 }] })
  const reader = await openTestStore(path, { mode: 'read' })
  const database = new DatabaseSync(path)
  t.after(async () => {
    database.close()
    await reader.close()
    await owner.close()
  })
  const update = database.prepare("UPDATE counters SET used = ? WHERE id = 'c'")
  return { reader, setCounter: (used) => void update.run(used) }
}

test('reads that are asked for at once are of one moment', async (t) => {
  const { reader, setCounter } = await share(t)
  const first = reader.readCounter('c')
  setCounter(2)
  const second = reader.readCounter('c')
  deepEqual(await Promise.all([first, second]), [1, 1])
})

test('whoever waited for a read sees what was committed since', async (t) => {
  const { reader, setCounter } = await share(t)
  for (const used of [2, 3, 4]) {
    setCounter(used)
    equal(await reader.readCounter('c'), used)
  }
})

test('a reader that is closed while it reads has answered', async (t) => {
  const { reader } = await share(t)
  const read = reader.readCounter('c')
  await reader.close()
  equal(await read, 1)
  await rejects(reader.readCounter('c'), { code: 'STORE_CLOSED' })
})
