/**
 * Flows that were counted for a filter, for the page beside the figures: which they are is known by then. Kept for one
 * filter, until the index changes.
 */
import type { DatabaseSync } from 'node:sqlite'
import { FEW } from './asked-words.ts'
import type { Filter } from './filter.ts'
import type { RowSet } from './row-set.ts'

type Found = { readonly key: string; readonly changes: number; readonly rows: RowSet }

const kept = new WeakMap<DatabaseSync, Found>()

export function keepFound(database: DatabaseSync, filter: Filter, rows: RowSet): void {
  if (!kept.has(database))
    database.function('is_found', (id) => (kept.get(database)?.rows.has(Number(id)) ? 1 : 0))
  kept.set(database, { key: toKey(filter), changes: countChanges(database), rows })
}

/** A condition for them; null: this filter was not the last that was counted. */
export function findKept(
  database: DatabaseSync,
  filter: Filter,
): { readonly text: string; readonly values: readonly string[]; readonly isFew: boolean } | null {
  const found = kept.get(database)
  if (found?.key !== toKey(filter) || found.changes !== countChanges(database)) return null
  if (found.rows.count > FEW) return { text: 'is_found(flow.id)', values: [], isFew: false }
  const text = 'flow.id IN (SELECT value FROM json_each(?))'
  return { text, values: [JSON.stringify(found.rows.list())], isFew: true }
}

/** Which rows, in any order. */
function toKey({ sort: _, limit: __, beyond: ___, ...which }: Filter): string {
  return JSON.stringify(which)
}

function countChanges(database: DatabaseSync): number {
  return Number(database.prepare('SELECT total_changes() AS n').get()?.n)
}
