/** A later page of a list whose order an erasure has changed. */
import type { DatabaseSync } from 'node:sqlite'
import type { Filter, FilterProblem } from './filter.ts'
import { LISTS, type ListName } from './lists.ts'

/**
 * An erased flow has lost what the list is in the order of: its row stands at the end now, whether it was on a page
 * before or not. Of amounts it has none any more, and is in no list of them.
 */
export function refuseMovedPage(
  database: DatabaseSync,
  list: ListName,
  { sort, beyond }: Filter,
): FilterProblem | null {
  if (beyond === undefined || !LISTS[list].erased.includes(sort.column)) return null
  const sql = "SELECT 1 FROM happening WHERE leaf > ? AND what = 'erased' LIMIT 1"
  if (database.prepare(sql).get(beyond.leaf) === undefined) return null
  const detail = 'a flow was erased since the page before: begin the list again'
  return { path: '/cursor', detail }
}
