/** When each source last reported something that still stands, for people who look whether it is alive. */
import type { Store } from '../../ports/store.ts'
import { STATE_GROUP } from '../context/observed-state.ts'

const PAGE = 1_000
/** Beyond so many paths nobody knows: whoever looks waits for it. */
const PAGES = 10

/** By the name of the source. Null: there are more paths than anybody reads for this. */
export async function listLastReports(store: Store): Promise<ReadonlyMap<string, string> | null> {
  const latest = new Map<string, string>()
  let after = ''
  for (let page = 0; page < PAGES; page++) {
    const rows = await store.listRecords('observation', STATE_GROUP, { after, limit: PAGE })
    for (const { body } of rows) {
      if (body.said === null) continue
      const { source, observed_at } = body.said
      if (observed_at > (latest.get(source) ?? '')) latest.set(source, observed_at)
    }
    if (rows.length < PAGE) return latest
    after = rows.at(-1)?.key ?? after
  }
  return null
}
