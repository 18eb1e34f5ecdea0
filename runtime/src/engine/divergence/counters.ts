/** Counters that the entries of no flow add up to, against the records for which the row key vouches. */
import { LIMITS } from 'rubicon-kernel'
import { COUNTED_GROUP } from '../../ports/counted-group.ts'
import { StoreDiverged } from '../../ports/store-diverged.ts'
import type { Deps } from '../deps.ts'

type Needed = Pick<Deps, 'store'>

/** Another process may count between two reads. */
const TRIES = 5

/** Throws a `StoreDiverged` at the first that stands elsewhere. */
export async function checkCounters({ store }: Needed): Promise<void> {
  const limit = LIMITS.entriesPerPage
  for (let after = ''; ; ) {
    const page = await store.records('counted', COUNTED_GROUP, { after, limit })
    for (const { key, body } of page) {
      const counted = await store.counter(key)
      if (counted !== body.used) await lookAgain({ store }, key)
    }
    after = page.at(-1)?.key ?? after
    if (page.length < limit) return
  }
}

async function lookAgain({ store }: Needed, id: string): Promise<void> {
  let [counted, used] = [0, -1]
  for (let tries = 0; tries < TRIES; tries++) {
    used = (await store.record('counted', COUNTED_GROUP, id))?.body.used ?? -1
    counted = await store.counter(id)
    if (counted === used) return
  }
  throw new StoreDiverged(`counter \`${id}\``, `it is ${counted}, and was ${used}`)
}
