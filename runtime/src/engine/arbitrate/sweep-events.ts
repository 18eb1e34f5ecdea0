/** Events that wait: looked at when their windows end, and after whoever looked at them has died. */
import { parseInstant } from 'rubicon-kernel'
import type { Context } from '../engine-context.ts'
import { OPEN_EVENTS } from '../flow/event-rows.ts'
import type { StoredEvent } from '../flow/event-standing.ts'
import { processRows } from '../rows/each-row.ts'
import { type JudgeBid, settleEvent } from './settle-event.ts'

const PAGE = 100

/** Returns how many were moved on; nobody waits long for one of them. */
export function sweepEvents(context: Context, judge: JudgeBid): Promise<number> {
  return processRows(context, 'arbitration', iterateOpenEvents(context), ({ key }) =>
    context.settling.run(key, () => settleEvent(context, key, judge)),
  )
}

/** When a window ends next, in milliseconds; null: none is open. */
export async function readNextWindowAt({ store }: Context): Promise<number | null> {
  const open = await store.listRecords('event', OPEN_EVENTS, { limit: PAGE })
  const ends = open.flatMap(({ body }) => parseInstant(body.closes_at ?? '') ?? [])
  return ends.length === 0 ? null : Math.min(...ends)
}

async function* iterateOpenEvents({ store }: Context): AsyncGenerator<StoredEvent> {
  for (let after = ''; ; ) {
    const page = await store.listRecords('event', OPEN_EVENTS, { after, limit: PAGE })
    yield* page
    after = page.at(-1)?.key ?? after
    if (page.length < PAGE) return
  }
}
