import { ERASURE } from 'rubicon-kernel'
import type { Store } from '../../ports/store.ts'

/** The seq of the last erasure on record: while it stays, what was read of flows still holds. -1: there is none. */
export async function readLastErasure(store: Pick<Store, 'listHeads'>): Promise<number> {
  const heads = await store.listHeads()
  return heads.find(({ trajectory }) => trajectory === ERASURE)?.seq ?? -1
}
