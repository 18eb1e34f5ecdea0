/** The records of instances that agents spawned and that have not ended. */
import { LIMITS } from 'rubicon-kernel'
import type { StoredRecord } from '../../ports/record.ts'
import type { Store } from '../../ports/store.ts'

/** Their group. */
export const LIVE = 'live'

export type LiveInstance = StoredRecord<'instance'>

/** However many, a page at a time. */
export async function* iterateLiveInstances({
  store,
}: {
  readonly store: Pick<Store, 'listRecords'>
}): AsyncGenerator<LiveInstance> {
  const limit = LIMITS.entriesPerPage
  let after = ''
  for (;;) {
    const page = await store.listRecords('instance', LIVE, { after, limit })
    yield* page
    after = page.at(-1)?.key ?? after
    if (page.length < limit) return
  }
}
