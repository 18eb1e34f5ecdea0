/**
 * Flows, and entries without one, in which every word of a question occurs: collected once, for the page and for all that
 * is counted beside it. A word may stand in another row of the same flow.
 */
import type { DatabaseSync } from 'node:sqlite'
import { holdTexts } from './held-texts.ts'
import { LISTS, type ListName } from './lists.ts'
import { countFlowRows, RowSet } from './row-set.ts'
import { findInFile } from './words-in-file.ts'

/** So few are looked up in a list; of more, each row of a list is asked. */
export const FEW = 5_000

type Asked = { readonly key: string; readonly changes: number; readonly rows: RowSet }

const kept = new WeakMap<DatabaseSync, Asked>()

/** Returns how many there are. */
export function collectAsked(database: DatabaseSync, words: readonly string[]): number {
  const key = JSON.stringify(words)
  const known = kept.get(database)
  if (known?.key === key && known.changes === countChanges(database)) return known.rows.count
  if (known === undefined) prepareDatabase(database)
  const rows = findAsked(database, words)
  const listed = rows.count <= FEW ? rows.list() : []
  database.prepare('DELETE FROM temp.asked').run()
  database
    .prepare('INSERT INTO temp.asked SELECT value FROM json_each(?)')
    .run(JSON.stringify(listed))
  kept.set(database, { key, changes: countChanges(database), rows })
  return rows.count
}

/** The same as a set. */
export function getAskedRows(database: DatabaseSync, words: readonly string[]): RowSet {
  collectAsked(database, words)
  return kept.get(database)?.rows ?? new RowSet(0)
}

/** A table and a function of this connection alone: a table of many takes longer to be filled than to be used. */
function prepareDatabase(database: DatabaseSync): void {
  database.exec('CREATE TEMP TABLE IF NOT EXISTS asked (wanted INTEGER PRIMARY KEY)')
  database.function('is_asked', (id) => (kept.get(database)?.rows.has(Number(id)) ? 1 : 0))
}

/** Few are looked up; of more, each row is asked in the order of the list. */
export function buildAskedCondition(list: ListName, isFew: boolean): string {
  const { words, fewWords } = LISTS[list]
  return isFew && fewWords !== null ? fewWords : `is_asked(${words})`
}

function findAsked(database: DatabaseSync, words: readonly string[]): RowSet {
  const texts = holdTexts(database)
  return texts?.find(words, countFlowRows(database)) ?? findInFile(database, words)
}

function countChanges(database: DatabaseSync): number {
  return Number(database.prepare('SELECT total_changes() AS n').get()?.n)
}
