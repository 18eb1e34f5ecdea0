/** For whoever hands out payloads: one that lies in an archive would look as if it had been erased. */
import type { Failure } from 'rubicon-kernel'
import type { Store, StoredEntry } from '../ports/store.ts'

/** Of these entries, a flow whose payloads are missing because they were archived; null: none is. */
export async function findAwayFlow(
  store: Pick<Store, 'readRecord'>,
  entries: readonly StoredEntry[],
): Promise<string | null> {
  const missing = entries.filter(({ payload }) => payload === null)
  for (const dfid of new Set(missing.map(({ envelope }) => envelope.dfid ?? '')))
    if ((await store.readRecord('archive', 'flows', dfid)) !== null) return dfid
  return null
}

export async function checkNothingAway(store: Pick<Store, 'countRows'>): Promise<Failure | null> {
  const away = await store.countRows({ of: 'records', record: 'archive', group: 'flows' })
  return away === 0 ? null : payloadsArchived
}

export const payloadsArchived: Failure = {
  code: 'FLOW_ARCHIVED',
  summary: 'payloads of flows lie in archives',
  why: 'an exported ledger holds every payload that was not erased',
  fix: 'export with `--archive FILE` for every file that `rubicon archive list` names, or put them back with `rubicon archive restore FILE --apply`',
}

/** Of lines that are on their way already. */
export class PayloadsArchived extends Error {
  readonly code: string = payloadsArchived.code

  constructor() {
    super(payloadsArchived.summary)
    this.name = 'PayloadsArchived'
  }
}
