/** What is kept of dirty flows: the open ones together, so that they are found without looking far. */
import type { RecordBodies, StoredRecord } from '../../ports/record.ts'
import type { Guard, Store, Write } from '../../ports/store.ts'
import { countDirty } from '../rows/maintenance.ts'

export type DirtyFlow = StoredRecord<'dirty_flow'>
type Body = RecordBodies['dirty_flow']

const OPEN = 'open'
const ENDED = 'ended'

export function openDirty(store: Store, dfid: string): Promise<DirtyFlow | null> {
  return store.readRecord('dirty_flow', OPEN, dfid)
}

/** Open or over. */
export async function findDirty(store: Store, dfid: string): Promise<DirtyFlow | null> {
  return (await openDirty(store, dfid)) ?? store.readRecord('dirty_flow', ENDED, dfid)
}

/** Of all dirty flows those after `after`, in the order of their opening. */
export function listDirtyFlows(
  store: Store,
  after: string,
  limit: number,
): Promise<readonly DirtyFlow[]> {
  return store.listRecords('dirty_flow', OPEN, { after, limit })
}

/** Nobody has moved it on since; null: it was not there. */
export function buildUntouchedDirtyGuard(dfid: string, record: DirtyFlow | null): Guard {
  const version = record?.version ?? null
  return { kind: 'record_version', record: 'dirty_flow', group: OPEN, key: dfid, version }
}

export function putDirty(dfid: string, body: Body): Write {
  return { kind: 'put_record', record: 'dirty_flow', group: OPEN, key: dfid, body }
}

/** It is over, and its agent may go on unless another flow of it is dirty. */
export function endDirty({ key, body }: DirtyFlow, standing: Body['standing']): readonly Write[] {
  return [
    { kind: 'drop_record', record: 'dirty_flow', group: OPEN, key },
    {
      kind: 'put_record',
      record: 'dirty_flow',
      group: ENDED,
      key,
      body: { ...body, standing },
    },
    countDirty(body.agent_id, -1),
  ]
}
