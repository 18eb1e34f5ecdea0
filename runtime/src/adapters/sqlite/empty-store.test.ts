import { deepEqual, equal, notDeepEqual } from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { describe, it } from 'node:test'
import { MIGRATIONS } from './migrations/all.ts'
import { computeSha256, openTestStore } from './open-at.ts'
import { createStore, openOwned } from './open-database.ts'
import { createTemporaryPath } from './testing.ts'

function createEmpty(migrations = MIGRATIONS): string {
  const path = createTemporaryPath()
  createStore({ path, sha256: computeSha256, migrations })
  return path
}

describe('an empty store', () => {
  it('is the same file every time, whether its steps were carried out or written down', async () => {
    // Another list with the same steps: these are carried out.
    const built = readFileSync(createEmpty([...MIGRATIONS]))
    const first = createEmpty()
    const store = await openTestStore(first)
    await store.commit({ guards: [], writes: [{ kind: 'count', id: 'c', by: 7 }] })
    await store.close()
    const second = createEmpty()
    notDeepEqual(readFileSync(first), built)
    equal(readFileSync(second).equals(built), true)
    equal(statSync(second).mode & 0o777, 0o600)
  })

  it('has only the steps that it was to have', () => {
    createEmpty()
    const older = MIGRATIONS.slice(0, 2)
    for (const path of [createEmpty(older), createEmpty(older)]) {
      const { database, close } = openOwned({ path, sha256: computeSha256, migrations: older })
      const steps = database.prepare('SELECT number FROM schema_migrations').all()
      deepEqual(
        steps.map(({ number }) => number),
        [1, 2],
      )
      close()
    }
  })

  it('begins its own history: the first owner of each is the first', () => {
    const epochs = [createEmpty(), createEmpty()].map((path) => {
      const { epoch, close } = openOwned({ path, sha256: computeSha256, migrations: MIGRATIONS })
      close()
      return epoch
    })
    deepEqual(epochs, [1, 1])
  })
})
