/** Uses what a change touched, so that its first use is one of the case: as the runtime itself reads it. */
import type { Runtime } from '../../../../runtime/src/compose.ts'
import type { RecordKind } from '../../../../runtime/src/ports/record.ts'
import type { RowChange } from './diff.ts'
import type { Holder, Row } from './holder.ts'

export type Used = {
  /** Flows of which a row changed. */
  readonly flows: readonly string[]
  readonly reads: readonly ((runtime: Runtime) => Promise<unknown>)[]
}

export async function collectUses(changes: readonly RowChange[], holder: Holder): Promise<Used> {
  const flows = new Set<string>()
  const reads: ((runtime: Runtime) => Promise<unknown>)[] = []
  for (const { table, before, after } of changes)
    for (const row of [before, after]) {
      if (row === null) continue
      if (table === 'flows' || table === 'executions') flows.add(String(row.dfid))
      if (table === 'counters') reads.push(({ store }) => store.readCounter(String(row.id)))
      if (table === 'records') reads.push(({ store }) => readRecord(store, row))
      if (table === 'resources') reads.push(({ store }) => readResources(store, [row]))
      if (table === 'world_nodes') {
        const below = await readResourcesBelow(row, holder)
        reads.push(({ store }) => readResources(store, below))
      }
    }
  return { flows: [...flows], reads }
}

function readRecord(store: Runtime['store'], { record, grp, key }: Row): Promise<unknown> {
  return store.readRecord(record as RecordKind, String(grp), String(key))
}

function readResources(store: Runtime['store'], rows: readonly Row[]): Promise<unknown> {
  const refs = rows.map(({ kind, id }) => ({ kind: String(kind), id: String(id) }))
  return store.readResources(String(rows[0]?.trajectory ?? 'main'), refs)
}

/** All that stands below a page of the World. */
async function readResourcesBelow(page: Row, holder: Holder): Promise<readonly Row[]> {
  const rows = await holder.rows('SELECT * FROM resources')
  const prefix = String(page.prefix)
  return rows.filter(({ trajectory, key }) => {
    const path = key instanceof Uint8Array ? Buffer.from(key).toString('hex') : ''
    return trajectory === page.trajectory && path.startsWith(prefix)
  })
}
