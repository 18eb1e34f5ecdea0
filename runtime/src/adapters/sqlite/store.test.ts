import { storeConformance } from '../../ports/store.conformance.ts'
import { clockAt, openAt } from './open-at.ts'
import { temporaryPath } from './testing.ts'

storeConformance('sqlite', async ({ tenant, now }) => {
  const path = temporaryPath()
  const clock = clockAt(now)
  const open = () => openAt(path, { tenant, clock: clock.now })
  let store = await open()
  const reopen = async () => {
    await store.close()
    store = await open()
    return store
  }
  return { store, reopen, clock }
})
