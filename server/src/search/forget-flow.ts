/**
 * Takes out of the index what the payloads of a flow said. Afterwards it holds what an index holds that is made after the
 * erasure; what is left in pages of its file is owed until it is overwritten (`index-remains.ts`).
 */
import type { DatabaseSync } from 'node:sqlite'
import { addWords, WORDS_LENGTH } from './flow-words.ts'
import { dropTexts } from './held-texts.ts'
import { insertWords } from './insert-words.ts'
import { takeFromTally } from './verdict-tally.ts'

/** An index that is made after the erasure has nothing to forget. */
export function forgetFlowRows(database: DatabaseSync, dfid: string): void {
  const flow = database.prepare('SELECT id, agent FROM flow WHERE dfid = ?').get(dfid)
  if (flow === undefined) return
  const id = Number(flow.id)
  // It is still found by its name, and by that of its agent.
  const words = addWords('', [dfid, String(flow.agent)])
  const known = database
    .prepare('SELECT said FROM words WHERE rowid IN (SELECT id FROM said WHERE flow = ?)')
    .all(id)
  const decided = database.prepare('SELECT 1 FROM decision WHERE flow = ?').get(id)
  const isBare = known.length === 1 && known[0]?.said === words
  if (isBare && decided === undefined) return
  dropTexts(database)
  takeFromTally((sql) => database.prepare(sql), id)
  for (const sql of FORGETS) database.prepare(sql).run(id)
  database.prepare("DELETE FROM happening WHERE dfid = ? AND what <> 'erased'").run(dfid)
  insertWords((sql) => database.prepare(sql), id, [words], WORDS_LENGTH)
  database.exec('UPDATE place SET owed = owed + 1')
}

const FORGETS = [
  'UPDATE flow SET kind = NULL, object = NULL, amount = NULL, measure = NULL, outcome = NULL, reason = NULL WHERE id = ?',
  'DELETE FROM decision WHERE flow = ?',
  'UPDATE execution SET object = NULL, amount = NULL, measure = NULL WHERE flow = ?',
  'UPDATE escalation SET kind = NULL, object = NULL, amount = NULL, measure = NULL WHERE flow = ?',
  'UPDATE entry SET reason = NULL WHERE flow = ?',
  'DELETE FROM words WHERE rowid IN (SELECT id FROM said WHERE flow = ?)',
  'DELETE FROM said WHERE flow = ?',
]
