import { hash } from 'node:crypto'
import { storeConformance } from '../../ports/store.conformance.ts'
import { createMemoryStore } from './store.ts'

const notKept = 'memory ends with the process'

storeConformance(
  'memory',
  async ({ tenant, now }) => {
    let ms = now
    const store = createMemoryStore({
      tenant,
      sha256: (data) => hash('sha256', data, 'buffer'),
      clock: () => ms,
    })
    const set = (next: number) => {
      ms = next
    }
    return { store, reopen: () => Promise.reject(new Error(notKept)), clock: { set } }
  },
  [
    {
      test: 'what was acknowledged is there when the store is opened again (S1)',
      reason: notKept,
    },
    { test: 'units in flight at close that were acknowledged are kept (S1)', reason: notKept },
  ],
)
