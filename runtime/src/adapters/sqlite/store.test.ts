import { storeConformance } from '../../ports/store.conformance.ts'
import { createClock, openTestStore } from './open-at.ts'
import { createTemporaryPath } from './testing.ts'

storeConformance('sqlite', async ({ tenant, now }) => {
  const path = createTemporaryPath()
  const clock = createClock(now)
  const open = () => openTestStore(path, { tenant, clock: clock.now })
  let store = await open()
  const reopen = async () => {
    await store.close()
    store = await open()
    return store
  }
  return { store, reopen, clock }
})
