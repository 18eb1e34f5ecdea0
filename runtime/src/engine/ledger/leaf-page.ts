/**
 * A page of the ledger that is bounded by its length, too. How long an entry is, its agent says: a thousand of the
 * longest are fifty megabytes, and to read and hash those takes the deciding thread for seconds.
 */
import { LIMITS } from 'rubicon-kernel'
import type { LeafEntry, Store } from '../../ports/store.ts'

/** The leaves from `from` on, up to `most`, and no more once they are a page; none: there are no more. */
export async function readLeafPage(
  store: Pick<Store, 'listLeaves'>,
  from: number,
  most: number,
): Promise<readonly LeafEntry[]> {
  const page: LeafEntry[] = []
  let length = 0
  while (page.length < most && length < LIMITS.pageLength) {
    const step = Math.min(LIMITS.entriesPerStep, most - page.length)
    const entries = await store.listLeaves(from + page.length, step)
    page.push(...entries)
    for (const { payload } of entries) length += payload?.length ?? 0
    if (entries.length < step) break
  }
  return page
}
