/** What was taken out is gone once its pieces are, too: until then nobody is told so. */
import type { Failure } from 'rubicon-kernel'
import { type Store, StoreError, type StoreErrorCode } from '../../ports/store.ts'

/** A reader in the way, a full disk: it is owed, and made with the next attempt or at the next start. */
const PASSING: readonly StoreErrorCode[] = ['STORE_LOCKED', 'STORE_FULL', 'STORE_ERROR']

/** Null: nothing is left. */
export async function finishErasure(
  store: Pick<Store, 'overwriteRemains'>,
): Promise<Failure | null> {
  try {
    await store.overwriteRemains()
    return null
  } catch (error) {
    if (!(error instanceof StoreError) || !PASSING.includes(error.code)) throw error
    return {
      code: 'ERASURE_UNFINISHED',
      summary:
        'it is erased and on record, but pieces of it may still stand in the file of the store',
      why: error.message,
      fix: error.fix,
    }
  }
}
