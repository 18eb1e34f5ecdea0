/** Flows as examples to learn from, a page at a time. */
import { LIMITS } from 'rubicon-kernel'
import { buildEpisode, type Episode, type Pause, readPastFlows } from 'rubicon-runtime/evidence'
import type { Store } from 'rubicon-runtime/ports'
import { type Reply, toReply } from '../schemas/route.ts'
import { parseLimit } from '../schemas/shape.ts'
import { SlowReads } from '../turns/slow-reads.ts'
import { encodeCursor, parseCursor } from '../views/list-page.ts'
import type { LookupParts, LookupRequest, LookupTable } from './lookup.ts'

export function createEpisodeLookups({
  store,
  clock,
}: Omit<LookupParts, 'sha256'>): Pick<LookupTable, 'listEpisodes'> {
  const past = new SlowReads(clock)
  return {
    listEpisodes: (question) => past.ask(question, (pause) => list(store, question, pause)),
  }
}

/** A page ends where its entries come to so much text, also below its limit. */
async function list(store: Store, { query }: LookupRequest, pause: Pause): Promise<Reply> {
  const place = parseCursor(query, 1)
  if (!place.ok) return place.error
  const [before] = place.value ?? []
  const { agent } = query
  const wanted = {
    most: parseLimit(query),
    ...(agent === undefined ? {} : { agent }),
    ...(before === undefined ? {} : { before }),
  }
  const episodes: Episode[] = []
  let length = 0
  for await (const { flow, entries } of readPastFlows(store, { ...wanted, mayBe: () => false })) {
    await pause()
    // Without its words it would be an example of nothing.
    if (!flow.tags.includes('ARCHIVED')) episodes.push(buildEpisode(flow, entries))
    for (const { payload } of entries) length += payload?.length ?? 0
    if (episodes.length >= wanted.most || length >= LIMITS.pageLength)
      return toReply({ episodes, next: encodeCursor([flow.dfid]) })
  }
  return toReply({ episodes, next: null })
}
