import { ALERT_HUMAN, LIMITS } from 'rubicon-kernel'
import type { Context } from '../engine-context.ts'
import {
  buildUntouchedDirtyGuard,
  type DirtyFlow,
  listDirtyFlows,
  putDirty,
} from '../saga/dirty-record.ts'

/** Sagas that waited for a person go on; whoever has the hands for them finds them. */
export async function resumeStuck(context: Context, dfid: string): Promise<void> {
  const { store } = context
  const waiting = await listDirtyFlows(store, '', LIMITS.entriesPerPage)
  const own = waiting.filter(({ body }) => body.standing === 'with_person')
  for (const record of own) {
    if (await isBelow(context, dfid, record.key)) await resume(context, record)
  }
}

async function isBelow({ store }: Context, dfid: string, above: string): Promise<boolean> {
  for (let at: string | null = dfid; at !== null; ) {
    if (at === above) return true
    at = (await store.readFlow(at))?.parent_dfid ?? null
  }
  return false
}

/** What was chosen, and got stuck, is carried on with; what nobody chose stays with the person. */
async function resume({ store }: Context, record: DirtyFlow): Promise<void> {
  const { chosen, action } = record.body
  if (chosen === null || action === ALERT_HUMAN) return
  await store.commit({
    guards: [buildUntouchedDirtyGuard(record.key, record)],
    writes: [putDirty(record.key, { ...record.body, standing: 'compensating' })],
  })
}
