/** Two servers on one database: what is written through one is heard through the other. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { it } from 'node:test'
import {
  createEmptyDatabase,
  describeWithServer,
} from '../../../../runtime/src/adapters/postgres/testing.ts'
import { temporaryFolder } from '../../../../runtime/src/temporary-folder.test-support.ts'
import { served } from '../served.test-support.ts'
import { hear } from './hearing.test-support.ts'

describeWithServer('events on Postgres', () => {
  it('come from every process, once each, and are taken up through another', async (t) => {
    const store = await createEmptyDatabase()
    // One ledger has one set of keys.
    const place = { store, stateDirectory: join(temporaryFolder(), 'state') }
    const first = await served(t, place)
    const second = await served(t, place)
    const jane = await hear(first.person('jane', 'auditor'))
    const began = jane.hello()
    const bots = [await first.agent(), await second.agent()] as const
    await first.propose(bots[0], await first.open(bots[0]))
    await second.propose(bots[1], await second.open(bots[1]))
    // Two keys were registered as well.
    const heard = await jane.until(8)
    jane.hangUp()
    await second.propose(bots[1], await second.open(bots[1]))
    const again = await hear(second.person('john', 'auditor'), `?after=${heard.at(-1)?.leaf}`)
    const all = [...heard, ...(await again.until(3))]
    assert.deepEqual(
      all.map(({ leaf }) => leaf),
      all.map((_, i) => began + 1 + i),
    )
    const kinds = all.map(({ kind }) => kind)
    assert.equal(kinds.filter((kind) => kind === 'commit').length, 3)
    await first.close()
    await second.close()
  })
})
