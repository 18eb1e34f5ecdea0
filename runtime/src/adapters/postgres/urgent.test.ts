/** What ends authority, behind as many readings as there are connections. */
import { deepEqual, equal } from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { MAIN } from 'rubicon-kernel'
import { begin, buildNote } from '../../ports/conformance/fixture.ts'
import { runUrgently } from '../../ports/urgent.ts'
import { connect, REACH_MS, Readers } from './connections.ts'
import { LOCK_EXCLUSIVE, lockKey } from './locks.ts'
import { computeSha256 } from './open-at.ts'
import type { DatabaseSession } from './session.ts'
import { createFreshDatabase, describeWithServer, open } from './testing.ts'

const MANY = 20
/** Somewhat longer than new entries are without a place. */
const PLACES_ARE_SOUGHT_MS = 600
const SOON_MS = 2_000
const ONE = { name: 'one', text: 'SELECT 1::text AS one' }

describeWithServer('urgent readings', () => {
  it('an urgent reading waits behind those of others', async () => {
    const address = await createFreshDatabase()
    const readers = new Readers({ address, role: null, reachMs: REACH_MS }, 'read')
    const held = Promise.withResolvers<void>()
    const readOne = (session: DatabaseSession): Promise<unknown> => session.run(ONE)
    const busy = Array.from({ length: MANY }, () => readers.read(() => held.promise))
    let isRead = false
    const last = readers.read(readOne).then(() => {
      isRead = true
    })
    deepEqual(await runUrgently(() => readers.read(readOne)), [{ one: '1' }])
    equal(isRead, false)
    held.resolve()
    await Promise.all([...busy, last])
    await readers.end()
  })

  it('what is left to do after an urgent unit does not hold the connection of the next', async () => {
    const address = await createFreshDatabase()
    const store = await open(address)
    await begin(store)
    await setTimeout(PLACES_ARE_SOUGHT_MS)
    const other = await connect({ address, role: null, reachMs: REACH_MS }, 'write')
    // Another process gives entries their places, and takes its time.
    await other.session.runScript('BEGIN')
    await other.session.run(LOCK_EXCLUSIVE, lockKey('sequencer', store.tenant, '', computeSha256))
    const unit = { guards: [], writes: [buildNote(MAIN, 1)] }
    equal((await runUrgently(() => store.commit(unit))).ok, true)
    await setTimeout(PLACES_ARE_SOUGHT_MS)
    const stopped = runUrgently(() => store.readFlow('any'))
    equal(await Promise.race([stopped, setTimeout(SOON_MS, 'waits')]), null)
    await other.session.runScript('ROLLBACK')
    await other.end()
    await stopped
  })
})
