/** What ends authority, behind as many readings as there are connections. */
import { deepEqual, equal } from 'node:assert/strict'
import { it } from 'node:test'
import { runUrgently } from '../../ports/urgent.ts'
import { REACH_MS, Readers } from './connections.ts'
import type { DatabaseSession } from './session.ts'
import { createFreshDatabase, describeWithServer } from './testing.ts'

const MANY = 20
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
})
