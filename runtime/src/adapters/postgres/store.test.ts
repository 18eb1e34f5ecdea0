import { storeConformance } from '../../ports/store.conformance.ts'
import { createClock } from './open-at.ts'
import { createFreshDatabase, describeWithServer, open } from './testing.ts'

describeWithServer('Postgres', () => {
  storeConformance('postgres', async ({ tenant, now }) => {
    const address = await createFreshDatabase()
    const clock = createClock(now)
    const again = () => open(address, { tenant, clock: clock.now })
    let store = await again()
    const reopen = async () => {
      await store.close()
      store = await again()
      return store
    }
    return { store, reopen, clock }
  })
})
