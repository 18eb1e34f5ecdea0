/** Decision atoms whose reservation stands. */
import { LIMITS } from 'rubicon-kernel'
import type { StoredRecord } from '../../ports/record.ts'
import type { Store } from '../../ports/store.ts'

/** Of all that were issued in a flow. */
export async function listOpenAtoms(
  store: Pick<Store, 'listRecords'>,
  dfid: string,
): Promise<readonly StoredRecord<'atom'>[]> {
  const all = await store.listRecords('atom', dfid, { limit: LIMITS.proposalsPerFlow })
  return all.filter(({ body }) => body.ended === null)
}
