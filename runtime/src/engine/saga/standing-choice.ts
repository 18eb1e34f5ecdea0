import type { SignedIntent } from 'rubicon-kernel'
import type { Guard } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { buildUntouchedDirtyGuard, openDirty } from './dirty-record.ts'

/**
 * What must still hold when an undoing is sent again: the choice that it carries out stands, in its
 * own flow or in one above. Null: it does not any more. Every other intent needs none.
 */
export async function findChoiceGuards(
  { store }: Context,
  { dfid, compensation }: SignedIntent,
): Promise<readonly Guard[] | null> {
  if (compensation === undefined) return []
  for (let at: string | null = dfid; at !== null; ) {
    const record = await openDirty(store, at)
    if (record?.body.chosen?.intent_id === compensation.chosen)
      return [buildUntouchedDirtyGuard(at, record)]
    at = (await store.readFlow(at))?.parent_dfid ?? null
  }
  return null
}
