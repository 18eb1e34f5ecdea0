/**
 * Sagas that waited for the word of a person go on, in the unit that records it: a process that ends behind that unit
 * would leave them waiting for somebody who has spoken.
 */
import { ALERT_HUMAN } from 'rubicon-kernel'
import type { Unit } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { buildUntouchedDirtyGuard, type DirtyFlow, openDirty, putDirty } from './dirty-record.ts'

/** Of the flow and of those above it, nearest first. Whoever has the hands for them finds them. */
export async function buildResumedSagas({ store }: Context, dfid: string | null): Promise<Unit> {
  const stuck: DirtyFlow[] = []
  for (let at = dfid; at !== null; ) {
    const record = await openDirty(store, at)
    if (record !== null && isStuck(record)) stuck.push(record)
    at = (await store.readFlow(at))?.parent_dfid ?? null
  }
  return {
    guards: stuck.map((record) => buildUntouchedDirtyGuard(record.key, record)),
    writes: stuck.map(({ key, body }) => putDirty(key, { ...body, standing: 'compensating' })),
  }
}

/** What was chosen, and got stuck, is carried on with; what nobody chose stays with the person. */
function isStuck({ body: { standing, chosen, action } }: DirtyFlow): boolean {
  return standing === 'with_person' && chosen !== null && action !== ALERT_HUMAN
}
